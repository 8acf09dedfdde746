import { GROUP_LIST } from '#accounts/groups/groups'
import { MEMBER_LIST } from '#accounts/groups/member_list'
import { KEY_LIST } from '#accounts/keys/list'
import { PERMISSION_LIST } from '#accounts/templates/permission_list'
import { TEMPLATE_LIST } from '#accounts/templates/permission_templates'
import { USERS } from '#accounts/users/directory'
import { MANY_SORTED } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operation, Operations, Parameter } from '#openapi/operation'
import { either, flag, list, named, object, text, whole } from '#openapi/schema'
import { createApiKeyValidator, updateApiKeyValidator } from '#validators/accounts/api_key'
import {
  createGroupValidator,
  groupZoneValidator,
  memberValidator,
  updateGroupValidator,
} from '#validators/accounts/group'
import { permissionTemplateValidator } from '#validators/accounts/permission_template'
import {
  assignTemplateValidator,
  createUserValidator,
  deleteUserValidator,
  updateUserValidator,
} from '#validators/accounts/user'
import { GROUP_ZONE_LIST } from '#zones/ownership/group_zones'

const ADMINISTERS = '`user_is_ueberuser`'
const done = { 200: { type: 'null' } }
const added = { 201: { type: 'null' } }
const shownKey = object({ api_key: named('ApiKey') })
const newKey = object({ api_key: named('ApiKey'), key: text('pwa_…') })

const CONFIRM: Parameter = {
  name: 'confirm',
  in: 'query',
  description: 'Delete it although it owns zones.',
  schema: { type: 'boolean' },
}

const SHOWN_ONCE = 'The key is shown this once; the answer is not kept for repeats.'

/** A call that changes a key that is there. */
function onKey(summary: string): Operation {
  return {
    tag: 'API keys',
    summary,
    needs: 'to own the key and `api_manage_keys`, or `user_is_ueberuser`',
    body: WRITE_BODY,
    answers: { 200: shownKey },
  }
}

/** Warning for a user with LDAP sign-in, which is not available yet. */
const LDAP_WARNING = {
  warnings: list(text("Field 'use_ldap': there is no sign-in through LDAP yet")),
}

/** Users, groups, permission templates, API keys. */
export const ACCOUNT_OPERATIONS: Operations = {
  'GET /users': {
    tag: 'Users',
    summary: 'List users',
    description: '`username` and `email` look one user up, whole and without paging.',
    needs: '`user_view_others`; others see themselves',
    list: USERS,
    answers: { 200: object({ users: list(named('UserItem')) }) },
    isStamped: 'sometimes',
  },
  'POST /users': {
    tag: 'Users',
    summary: 'Create a user',
    needs: '`user_add_new`',
    body: {
      validator: createUserValidator,
      example: { username: 'ann', password: 'correct horse battery', perm_templ: 3 },
      required: ['username', 'password'],
      schemas: { groups: list(either(whole(2), text('Shop'))) },
      members: { perm_templ: 'Id of a permission template.', groups: 'Ids or names.' },
    },
    answers: {
      201: object(
        { user_id: whole(9), groups: list(object({ id: whole(2), name: text('Shop') })) },
        LDAP_WARNING
      ),
    },
    isStamped: true,
  },
  'GET /users/{id}': {
    tag: 'Users',
    summary: 'Show a user',
    needs: '`user_view_others`, but for oneself',
    answers: { 200: object({ user: named('User') }) },
    isStamped: true,
  },
  'PUT /users/{id}': {
    tag: 'Users',
    summary: 'Change a user',
    needs: '`user_edit_others`, or `user_edit_own` for oneself',
    body: { validator: updateUserValidator, example: { fullname: 'Ann Brown' } },
    answers: { 200: object({ user_id: whole(9) }, LDAP_WARNING) },
    isStamped: true,
  },
  'PATCH /users/{id}': {
    tag: 'Users',
    summary: 'Give a user another permission template',
    needs: '`user_edit_templ_perm`',
    body: {
      validator: assignTemplateValidator,
      example: { perm_templ: 3 },
      required: ['perm_templ'],
    },
    answers: { 200: object({ user_id: whole(9), perm_templ: whole(3) }) },
    isStamped: true,
  },
  'DELETE /users/{id}': {
    tag: 'Users',
    summary: 'Delete a user',
    needs: '`user_edit_others`',
    body: {
      validator: deleteUserValidator,
      example: { transfer_to_user_id: 1 },
      members: {
        transfer_to_user_id: 'The user who gets the zones.',
        transfer_to_group_id:
          'The group that gets the zones, in place of a user; for administrators.',
        zone_transfers:
          'Who gets single zones, by `user_id` or `group_id`; without one of them the zone is left to its other owners.',
      },
    },
    answers: { 200: object({ zones_affected: whole(2) }) },
    isStamped: true,
  },

  'POST /users/{id}/unlock': {
    tag: 'Users',
    summary: 'Lift the lock of a user after wrong passwords',
    description: 'Wrong passwords that were counted are forgotten, from wherever they came.',
    needs: '`user_edit_others`',
    body: WRITE_BODY,
    answers: { 200: object({ user_id: whole(2), unlocked: flag(true) }) },
    isStamped: true,
  },

  'GET /groups': {
    tag: 'Groups',
    summary: 'List groups',
    description: 'Administrators see all, others their own.',
    list: GROUP_LIST,
    answers: { 200: object({ groups: list(named('GroupItem')) }) },
  },
  'POST /groups': {
    tag: 'Groups',
    summary: 'Create a group',
    needs: ADMINISTERS,
    body: { validator: createGroupValidator, example: { name: 'Shop', perm_templ_id: 6 } },
    answers: {
      201: object({ group: object({ id: whole(2), name: text('Shop') }) }),
    },
    refusals: { 409: 'There is a group of that name.' },
  },
  'GET /groups/{id}': {
    tag: 'Groups',
    summary: 'Show a group',
    description: 'With its members, as far as the caller may know of them, and its zones.',
    answers: { 200: object({ group: named('Group') }) },
  },
  'PUT /groups/{id}': {
    tag: 'Groups',
    summary: 'Change a group',
    needs: ADMINISTERS,
    body: { validator: updateGroupValidator, example: { description: 'Everybody of the shop' } },
    answers: { 200: object({ group: named('ChangedGroup') }) },
  },
  'DELETE /groups/{id}': {
    tag: 'Groups',
    summary: 'Delete a group',
    needs: ADMINISTERS,
    parameters: [CONFIRM],
    body: WRITE_BODY,
    answers: done,
    refusals: { 409: 'It owns zones, and `confirm` is not set.' },
  },
  'GET /groups/{id}/members': {
    tag: 'Groups',
    summary: 'List the members of a group',
    description: 'The newest member first.',
    list: MEMBER_LIST,
    answers: { 200: object({ members: list(named('Member')) }) },
    refusals: MANY_SORTED,
  },
  'POST /groups/{id}/members': {
    tag: 'Groups',
    summary: 'Add a member',
    needs: ADMINISTERS,
    body: { validator: memberValidator, example: { user_id: 9 }, required: ['user_id'] },
    answers: added,
  },
  'DELETE /groups/{id}/members/{userId}': {
    tag: 'Groups',
    summary: 'Remove a member',
    needs: ADMINISTERS,
    body: WRITE_BODY,
    answers: done,
  },
  'GET /groups/{id}/zones': {
    tag: 'Groups',
    summary: 'List the zones of a group',
    description: 'Those that the caller, and the API key, may see; the newest first.',
    list: GROUP_ZONE_LIST,
    answers: { 200: object({ zones: list(named('GroupZone')) }) },
  },
  'POST /groups/{id}/zones': {
    tag: 'Groups',
    summary: 'Make a group an owner of a zone',
    needs: ADMINISTERS,
    body: { validator: groupZoneValidator, example: { zone_id: 41 }, required: ['zone_id'] },
    answers: added,
  },
  'DELETE /groups/{id}/zones/{zoneId}': {
    tag: 'Groups',
    summary: 'End that a group owns a zone',
    needs: ADMINISTERS,
    body: WRITE_BODY,
    answers: done,
  },

  'GET /permission-templates': {
    tag: 'Permissions',
    summary: 'List permission templates',
    needs: '`templ_perm_add` or `templ_perm_edit`',
    list: TEMPLATE_LIST,
    answers: { 200: object({ templates: list(named('PermissionTemplateItem')) }) },
  },
  'POST /permission-templates': {
    tag: 'Permissions',
    summary: 'Create a permission template',
    needs: '`templ_perm_add`',
    body: {
      validator: permissionTemplateValidator,
      example: { name: 'Editor', descr: 'May edit records', permissions: [43, 44] },
      required: ['name'],
      members: {
        descr: 'Has to be there; `description` is the same.',
        permissions: 'Ids, as of `GET /permissions`.',
      },
    },
    answers: { 201: object({ id: whole(3) }) },
  },
  'GET /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Show a permission template',
    needs: '`templ_perm_add` or `templ_perm_edit`',
    answers: { 200: object({ template: named('PermissionTemplate') }) },
  },
  'PUT /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Change a permission template',
    needs: '`templ_perm_edit`',
    body: { validator: permissionTemplateValidator, example: { permissions: [43, 44, 45] } },
    answers: done,
  },
  'DELETE /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Delete a permission template',
    needs: '`templ_perm_edit`',
    body: WRITE_BODY,
    answers: done,
    refusals: { 409: 'Users or groups have it.' },
  },
  'GET /permissions': {
    tag: 'Permissions',
    summary: 'List permissions',
    description: 'All that permission templates can grant.',
    list: PERMISSION_LIST,
    answers: { 200: object({ permissions: list(named('Permission')) }) },
  },
  'GET /permissions/{id}': {
    tag: 'Permissions',
    summary: 'Show a permission',
    description: 'By its id, which never changes.',
    answers: { 200: object({ permission: named('Permission') }) },
  },

  'GET /api-keys': {
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Own ones; administrators see all.',
    list: KEY_LIST,
    parameters: [
      {
        name: 'user_id',
        in: 'query',
        description: 'Those of one user.',
        schema: { type: 'integer' },
      },
    ],
    answers: { 200: object({ api_keys: list(named('ApiKey')) }) },
  },
  'POST /api-keys': {
    tag: 'API keys',
    summary: 'Create an API key',
    description: SHOWN_ONCE,
    needs: '`api_manage_keys`',
    body: {
      validator: createApiKeyValidator,
      example: { name: 'deploy', operations: ['view', 'update'], zones: [41] },
    },
    answers: { 201: newKey },
  },
  'GET /api-keys/{id}': {
    tag: 'API keys',
    summary: 'Show an API key',
    description: 'Without the secret, which nobody is shown twice.',
    answers: { 200: shownKey },
  },
  'PUT /api-keys/{id}': {
    ...onKey('Change an API key'),
    body: { validator: updateApiKeyValidator, example: { idle_days: 90 } },
  },
  'DELETE /api-keys/{id}': { ...onKey('Delete an API key'), answers: { 204: null } },
  'POST /api-keys/{id}/regenerate': {
    ...onKey('Give an API key a new secret'),
    description: SHOWN_ONCE,
    answers: { 200: newKey },
  },
  'POST /api-keys/{id}/enable': onKey('Enable an API key'),
  'POST /api-keys/{id}/disable': onKey('Disable an API key'),
}
