import { GROUP_LIST } from '#accounts/groups/groups'
import { MEMBER_LIST } from '#accounts/groups/member_list'
import { KEY_LIST } from '#accounts/keys/list'
import { PERMISSION_LIST } from '#accounts/templates/permission_list'
import { TEMPLATE_LIST } from '#accounts/templates/permission_templates'
import { USER_LIST } from '#accounts/users/directory'
import { SORT_LIMIT_ERROR } from '#openapi/operations/shared'
import { WRITE_BODY } from '#openapi/operations/write_body'
import type { Operation, Operations, Parameter } from '#openapi/operation'
import { oneOfSchemas, flag, list, named, object, text, wholeNumberSchema } from '#openapi/schema'
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

const SUPER_USER_RIGHT = '`user_is_ueberuser`'
const emptyAnswer = { 200: { type: 'null' } }
const added = { 201: { type: 'null' } }
const shownKey = object({ api_key: named('ApiKey') })
const newKey = object({ api_key: named('ApiKey'), key: text('pwa_…') })

const CONFIRM: Parameter = {
  name: 'confirm',
  in: 'query',
  description: 'Deletes the group even if it owns zones.',
  schema: { type: 'boolean' },
}

const SHOWN_ONCE_TEXT = 'Only this answer contains the key. The answer is not stored for repeats.'

/** An operation on an existing key. */
function onKey(summary: string): Operation {
  return {
    tag: 'API keys',
    summary,
    needs: 'ownership of the key and `api_manage_keys`, or `user_is_ueberuser`',
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
    description:
      '`username` and `email` find one user by the exact value. The answer then has no pages.',
    needs: '`user_view_others`. Other users see only themselves',
    list: USER_LIST,
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
      schemas: { groups: list(oneOfSchemas(wholeNumberSchema(2), text('Shop'))) },
      members: { perm_templ: 'Id of a permission template.', groups: 'Ids or names of groups.' },
    },
    answers: {
      201: object(
        {
          user_id: wholeNumberSchema(9),
          groups: list(object({ id: wholeNumberSchema(2), name: text('Shop') })),
        },
        LDAP_WARNING
      ),
    },
    isStamped: true,
  },
  'GET /users/{id}': {
    tag: 'Users',
    summary: 'Show a user',
    needs: '`user_view_others`, except for the account of the caller',
    answers: { 200: object({ user: named('User') }) },
    isStamped: true,
  },
  'PUT /users/{id}': {
    tag: 'Users',
    summary: 'Edit a user',
    needs: '`user_edit_others`, or `user_edit_own` for the account of the caller',
    body: { validator: updateUserValidator, example: { fullname: 'Ann Brown' } },
    answers: { 200: object({ user_id: wholeNumberSchema(9) }, LDAP_WARNING) },
    refusals: {
      409: 'The name or the address is taken, or the user is the last active administrator.',
    },
    isStamped: true,
  },
  'PATCH /users/{id}': {
    tag: 'Users',
    summary: 'Assign a permission template to a user',
    needs: '`user_edit_templ_perm`',
    body: {
      validator: assignTemplateValidator,
      example: { perm_templ: 3 },
      required: ['perm_templ'],
    },
    answers: { 200: object({ user_id: wholeNumberSchema(9), perm_templ: wholeNumberSchema(3) }) },
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
        transfer_to_user_id: 'User who becomes an owner of the zones.',
        transfer_to_group_id:
          'Group that becomes an owner of the zones, instead of a user. Administrators only.',
        zone_transfers:
          'New owners of single zones, by `user_id` or `group_id`. A zone without either keeps its other owners.',
      },
    },
    answers: { 200: object({ zones_affected: wholeNumberSchema(2) }) },
    refusals: { 409: 'The user is the last active administrator.' },
    isStamped: true,
  },

  'POST /users/{id}/unlock': {
    tag: 'Users',
    summary: 'Unlock a user after wrong passwords',
    description: 'Resets the count of wrong passwords, from all addresses.',
    needs: '`user_edit_others`',
    body: WRITE_BODY,
    answers: { 200: object({ user_id: wholeNumberSchema(2), unlocked: flag(true) }) },
    isStamped: true,
  },

  'GET /groups': {
    tag: 'Groups',
    summary: 'List groups',
    description: 'Administrators see all groups. Other users see their own groups.',
    list: GROUP_LIST,
    answers: { 200: object({ groups: list(named('GroupItem')) }) },
  },
  'POST /groups': {
    tag: 'Groups',
    summary: 'Create a group',
    needs: SUPER_USER_RIGHT,
    body: { validator: createGroupValidator, example: { name: 'Shop', perm_templ_id: 6 } },
    answers: {
      201: object({ group: object({ id: wholeNumberSchema(2), name: text('Shop') }) }),
    },
  },
  'GET /groups/{id}': {
    tag: 'Groups',
    summary: 'Show a group',
    description: 'Includes the zones of the group, and the members that the caller may see.',
    answers: { 200: object({ group: named('Group') }) },
  },
  'PUT /groups/{id}': {
    tag: 'Groups',
    summary: 'Edit a group',
    needs: SUPER_USER_RIGHT,
    body: { validator: updateGroupValidator, example: { description: 'Everyone at the shop' } },
    answers: { 200: object({ group: named('ChangedGroup') }) },
  },
  'DELETE /groups/{id}': {
    tag: 'Groups',
    summary: 'Delete a group',
    needs: SUPER_USER_RIGHT,
    parameters: [CONFIRM],
    body: WRITE_BODY,
    answers: emptyAnswer,
    refusals: { 409: 'The group owns zones, and `confirm` is not set.' },
  },
  'GET /groups/{id}/members': {
    tag: 'Groups',
    summary: 'List the members of a group',
    description: 'Lists the newest member first.',
    list: MEMBER_LIST,
    answers: { 200: object({ members: list(named('Member')) }) },
    refusals: SORT_LIMIT_ERROR,
  },
  'POST /groups/{id}/members': {
    tag: 'Groups',
    summary: 'Add a member to a group',
    needs: SUPER_USER_RIGHT,
    body: { validator: memberValidator, example: { user_id: 9 }, required: ['user_id'] },
    answers: added,
  },
  'DELETE /groups/{id}/members/{userId}': {
    tag: 'Groups',
    summary: 'Remove a member from a group',
    needs: SUPER_USER_RIGHT,
    body: WRITE_BODY,
    answers: emptyAnswer,
  },
  'GET /groups/{id}/zones': {
    tag: 'Groups',
    summary: 'List the zones of a group',
    description: 'Lists the zones that the caller and the API key may see, newest first.',
    list: GROUP_ZONE_LIST,
    answers: { 200: object({ zones: list(named('GroupZone')) }) },
  },
  'POST /groups/{id}/zones': {
    tag: 'Groups',
    summary: 'Assign a zone to a group',
    needs: SUPER_USER_RIGHT,
    body: { validator: groupZoneValidator, example: { zone_id: 41 }, required: ['zone_id'] },
    answers: added,
  },
  'DELETE /groups/{id}/zones/{zoneId}': {
    tag: 'Groups',
    summary: 'Remove a zone from a group',
    needs: SUPER_USER_RIGHT,
    body: WRITE_BODY,
    answers: emptyAnswer,
  },

  'GET /permission-templates': {
    tag: 'Permissions',
    summary: 'List permission templates',
    needs: '`templ_perm_edit`',
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
        descr: 'Required. `description` is the same member.',
        permissions: 'Ids from `GET /permissions`.',
      },
    },
    answers: { 201: object({ id: wholeNumberSchema(3) }) },
    refusals: { 409: 'A template of this type has this name.' },
  },
  'GET /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Show a permission template',
    needs: '`templ_perm_edit`',
    answers: { 200: object({ template: named('PermissionTemplate') }) },
  },
  'PUT /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Edit a permission template',
    needs: '`templ_perm_edit`',
    body: { validator: permissionTemplateValidator, example: { permissions: [43, 44, 45] } },
    answers: emptyAnswer,
    refusals: { 409: 'The name is taken, or no active administrator would be left.' },
  },
  'DELETE /permission-templates/{id}': {
    tag: 'Permissions',
    summary: 'Delete a permission template',
    needs: '`user_edit_templ_perm`',
    body: WRITE_BODY,
    answers: emptyAnswer,
    refusals: { 409: 'The template is assigned to users or groups.' },
  },
  'GET /permissions': {
    tag: 'Permissions',
    summary: 'List permissions',
    description: 'Lists all permissions that permission templates can grant.',
    list: PERMISSION_LIST,
    answers: { 200: object({ permissions: list(named('Permission')) }) },
  },
  'GET /permissions/{id}': {
    tag: 'Permissions',
    summary: 'Show a permission',
    description: 'Finds the permission by its id. The id never changes.',
    answers: { 200: object({ permission: named('Permission') }) },
  },

  'GET /api-keys': {
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Lists the keys of the caller. Administrators see all keys.',
    list: KEY_LIST,
    parameters: [
      {
        name: 'user_id',
        in: 'query',
        description: 'Only the keys of this user.',
        schema: { type: 'integer' },
      },
    ],
    answers: { 200: object({ api_keys: list(named('ApiKey')) }) },
  },
  'POST /api-keys': {
    tag: 'API keys',
    summary: 'Create an API key',
    description: SHOWN_ONCE_TEXT,
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
    description: 'The answer does not contain the secret. The secret is never shown twice.',
    answers: { 200: shownKey },
  },
  'PUT /api-keys/{id}': {
    ...onKey('Edit an API key'),
    body: { validator: updateApiKeyValidator, example: { idle_days: 90 } },
  },
  'DELETE /api-keys/{id}': { ...onKey('Delete an API key'), answers: { 204: null } },
  'POST /api-keys/{id}/regenerate': {
    ...onKey('Replace the secret of an API key'),
    description: SHOWN_ONCE_TEXT,
    answers: { 200: newKey },
  },
  'POST /api-keys/{id}/enable': onKey('Enable an API key'),
  'POST /api-keys/{id}/disable': onKey('Disable an API key'),
}
