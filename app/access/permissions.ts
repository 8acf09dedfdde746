/** Subject of a permission; groups permissions on pages and in the documentation. */
export type PermissionArea =
  'zones' | 'records' | 'templates' | 'users' | 'server' | 'keys' | 'logs' | 'review'

interface PermissionFlag {
  /** Constant: API answers and imported databases contain the ids. */
  readonly id: number
  readonly area: PermissionArea
  /** Description of the right. */
  readonly meaning: string
}

/**
 * All permissions. "Own" means owned directly or through a group. The table `zw_permissions` is
 * seeded from this list.
 */
export const PERMISSIONS = {
  zone_master_add: { id: 41, area: 'zones', meaning: 'Create primary and native zones' },
  zone_slave_add: { id: 42, area: 'zones', meaning: 'Create secondary zones' },
  zone_content_view_own: { id: 43, area: 'records', meaning: 'Read own zones and their records' },
  zone_content_edit_own: { id: 44, area: 'records', meaning: 'Edit records of own zones' },
  zone_meta_edit_own: {
    id: 45,
    area: 'zones',
    meaning: 'Change name, type, primaries, metadata and owners of own zones',
  },
  zone_content_view_others: {
    id: 46,
    area: 'records',
    meaning: 'Read every zone and its records',
  },
  zone_content_edit_others: { id: 47, area: 'records', meaning: 'Edit records of every zone' },
  zone_meta_edit_others: {
    id: 48,
    area: 'zones',
    meaning: 'Change name, type, primaries, metadata and owners of every zone',
  },
  search: { id: 49, area: 'zones', meaning: 'Search zones and records' },
  supermaster_view: { id: 50, area: 'server', meaning: 'View autoprimaries' },
  supermaster_add: { id: 51, area: 'server', meaning: 'Add autoprimaries' },
  supermaster_edit: { id: 52, area: 'server', meaning: 'Change and remove autoprimaries' },
  user_is_ueberuser: { id: 53, area: 'users', meaning: 'Do everything (administrator)' },
  user_view_others: { id: 54, area: 'users', meaning: 'View other users' },
  user_add_new: { id: 55, area: 'users', meaning: 'Create users' },
  user_edit_own: { id: 56, area: 'users', meaning: 'Edit their own account' },
  user_edit_others: { id: 57, area: 'users', meaning: 'Edit and delete other users' },
  user_passwd_edit_others: { id: 58, area: 'users', meaning: "Set other users' passwords" },
  user_edit_templ_perm: {
    id: 59,
    area: 'users',
    meaning: 'Assign permission templates to users, and delete permission templates',
  },
  templ_perm_add: { id: 60, area: 'templates', meaning: 'Create permission templates' },
  templ_perm_edit: { id: 61, area: 'templates', meaning: 'Read and edit permission templates' },
  zone_content_edit_own_as_client: {
    id: 62,
    area: 'records',
    meaning: 'Edit records of own zones, except SOA, NS and LUA',
  },
  zone_templ_add: { id: 63, area: 'templates', meaning: 'Create zone templates' },
  zone_templ_edit: { id: 64, area: 'templates', meaning: 'Edit own zone templates' },
  api_manage_keys: { id: 65, area: 'keys', meaning: 'Manage own API keys' },
  zone_delete_own: { id: 67, area: 'zones', meaning: 'Delete own zones' },
  zone_delete_others: { id: 68, area: 'zones', meaning: 'Delete every zone' },
  user_enforce_mfa: { id: 69, area: 'users', meaning: 'Must use a second factor' },
  zone_dnssec_manage_own: {
    id: 70,
    area: 'zones',
    meaning: 'Sign and unsign own zones and manage their keys',
  },
  zone_logs_view_own: { id: 71, area: 'logs', meaning: 'Read the log of own zones' },
  zone_logs_view_others: { id: 72, area: 'logs', meaning: 'Read the log of every zone' },
  user_logs_view: { id: 73, area: 'logs', meaning: 'Read the log of users' },
  group_logs_view: { id: 74, area: 'logs', meaning: 'Read the log of groups' },
  zone_content_edit_ns_subzone: {
    id: 75,
    area: 'records',
    meaning: 'Write NS records below the apex, together with zone_content_edit_own_as_client',
  },
  zone_metadata_view_own: { id: 76, area: 'zones', meaning: 'Read the metadata of own zones' },
  zone_metadata_view_others: {
    id: 77,
    area: 'zones',
    meaning: 'Read the metadata of every zone',
  },
  zone_ownership_view_own: { id: 78, area: 'zones', meaning: 'Read the owners of own zones' },
  zone_ownership_view_others: { id: 79, area: 'zones', meaning: 'Read the owners of every zone' },
  server_status_view: { id: 80, area: 'server', meaning: 'Read the status of the name server' },
  zone_change_request_own: {
    id: 81,
    area: 'review',
    meaning: 'Submit change requests for own zones',
  },
  zone_change_request_others: {
    id: 82,
    area: 'review',
    meaning: 'Submit change requests for every zone',
  },
  zone_change_approve_own: {
    id: 83,
    area: 'review',
    meaning: 'Approve change requests of own zones',
  },
  zone_change_approve_others: {
    id: 84,
    area: 'review',
    meaning: 'Approve change requests of every zone',
  },
} as const satisfies Record<string, PermissionFlag>

export type Permission = keyof typeof PERMISSIONS

/** Returns whether a text is the name of a permission. */
export function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name)
}

const NAME_OF_ID = new Map<number, Permission>(
  Object.entries(PERMISSIONS).map(([name, { id }]) => [id, name as Permission])
)

/** Returns the permission with this id; undefined for ids of other versions. */
export function permissionOfId(id: number): Permission | undefined {
  return NAME_OF_ID.get(id)
}

const ZONE_MANAGER_PERMISSIONS: Permission[] = [
  'zone_master_add',
  'zone_slave_add',
  'zone_content_view_own',
  'zone_content_edit_own',
  'zone_meta_edit_own',
  'search',
  'user_edit_own',
  'zone_templ_add',
  'zone_templ_edit',
  'api_manage_keys',
  'zone_delete_own',
  'zone_dnssec_manage_own',
  'zone_logs_view_own',
  'zone_metadata_view_own',
  'zone_ownership_view_own',
]
const EDITOR_PERMISSIONS: Permission[] = [
  'zone_content_view_own',
  'search',
  'user_edit_own',
  'zone_content_edit_own_as_client',
  'zone_logs_view_own',
  'zone_metadata_view_own',
  'zone_ownership_view_own',
]
const VIEWER_PERMISSIONS: Permission[] = [
  'zone_content_view_own',
  'search',
  'zone_logs_view_own',
  'zone_metadata_view_own',
  'zone_ownership_view_own',
]

/** A permission template of a new installation. */
export interface SeededTemplate {
  id: number
  name: string
  description: string
  type: 'user' | 'group'
  permissions: Permission[]
}

const ROLES = [
  { user: 'Administrator', group: 'Administrators', permissions: ['user_is_ueberuser'] },
  { user: 'Zone Manager', group: 'Zone Managers', permissions: ZONE_MANAGER_PERMISSIONS },
  { user: 'Editor', group: 'Editors', permissions: EDITOR_PERMISSIONS },
  { user: 'Viewer', group: 'Viewers', permissions: VIEWER_PERMISSIONS },
  { user: 'Guest', group: 'Guests', permissions: [] },
] satisfies { user: string; group: string; permissions: Permission[] }[]

const DESCRIPTIONS = [
  'Everything',
  'Creates zones and fully manages own zones',
  'Edits records of own zones, except SOA and NS',
  'Reads own zones',
  'No permissions',
]

/** Templates 1-5 for users, 6-10 with the same contents for groups. */
export const SEEDED_TEMPLATES: SeededTemplate[] = (['user', 'group'] as const).flatMap(
  (type, block) =>
    ROLES.map((role, index) => ({
      id: block * ROLES.length + index + 1,
      name: role[type],
      description: DESCRIPTIONS[index],
      type,
      permissions: role.permissions,
    }))
)

/** Groups 1-5, each with the group template of the same name. */
export const SEEDED_GROUPS = SEEDED_TEMPLATES.filter((template) => template.type === 'group').map(
  (template, index) => ({
    id: index + 1,
    name: template.name,
    description: template.description,
    templateId: template.id,
  })
)
