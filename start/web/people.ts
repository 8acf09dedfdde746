import router from '@adonisjs/core/services/router'
import { signedInPages } from '#start/web/sign_in'

const GroupPagesController = () => import('#controllers/web/accounts/group_pages_controller')
const GroupPartsController = () => import('#controllers/web/accounts/group_parts_controller')
const TemplatePagesController = () => import('#controllers/web/accounts/template_pages_controller')
const UserDeletionController = () => import('#controllers/web/accounts/user_deletion_controller')
const UserPagesController = () => import('#controllers/web/accounts/user_pages_controller')
const UserRightsController = () => import('#controllers/web/accounts/user_rights_controller')
const UserSignInController = () => import('#controllers/web/accounts/user_sign_in_controller')

/** Users, groups and permission templates. */
export function peoplePages(): void {
  signedInPages(() => {
    router.get('/users', [UserPagesController, 'index'])
    router.get('/users/new', [UserPagesController, 'create'])
    router.post('/users/new', [UserPagesController, 'store'])
    router.get('/users/:id', [UserPagesController, 'show'])
    router.post('/users/:id', [UserPagesController, 'update'])
    router.post('/users/:id/template', [UserPagesController, 'assign'])
    router.post('/users/:id/groups', [UserPagesController, 'regroup'])
    router.post('/users/:id/unlock', [UserPagesController, 'unlock'])
    router.get('/users/:id/delete', [UserDeletionController, 'show'])
    router.post('/users/:id/delete', [UserDeletionController, 'destroy'])
    router.get('/users/:id/sessions', [UserSignInController, 'show'])
    router.post('/users/:id/sessions/end', [UserSignInController, 'end'])
    router.post('/users/:id/second-factor/off', [UserSignInController, 'reset'])
    router.get('/users/:id/rights', [UserRightsController, 'show'])
    router.get('/account/rights', [UserRightsController, 'showOwn'])

    router.get('/groups', [GroupPagesController, 'index'])
    router.get('/groups/new', [GroupPagesController, 'create'])
    router.post('/groups/new', [GroupPagesController, 'store'])
    router.get('/groups/:id', [GroupPagesController, 'show'])
    router.post('/groups/:id', [GroupPagesController, 'update'])
    router.get('/groups/:id/delete', [GroupPagesController, 'deletion'])
    router.post('/groups/:id/delete', [GroupPagesController, 'destroy'])
    router.get('/groups/:id/members', [GroupPartsController, 'members'])
    router.post('/groups/:id/members', [GroupPartsController, 'changeMembers'])
    router.get('/groups/:id/zones', [GroupPartsController, 'zones'])
    router.post('/groups/:id/zones', [GroupPartsController, 'changeZones'])

    router.get('/permission-templates', [TemplatePagesController, 'index'])
    router.get('/permission-templates/new', [TemplatePagesController, 'create'])
    router.post('/permission-templates/new', [TemplatePagesController, 'store'])
    router.get('/permission-templates/:id', [TemplatePagesController, 'show'])
    router.post('/permission-templates/:id', [TemplatePagesController, 'update'])
    router.get('/permission-templates/:id/delete', [TemplatePagesController, 'deletion'])
    router.post('/permission-templates/:id/delete', [TemplatePagesController, 'destroy'])
  })
}
