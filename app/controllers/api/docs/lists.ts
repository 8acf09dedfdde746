import { GROUP_LIST } from '#accounts/groups/groups'
import { MEMBER_LIST } from '#accounts/groups/member_list'
import { KEY_LIST } from '#accounts/keys/list'
import { PERMISSION_LIST } from '#accounts/templates/permission_list'
import { TEMPLATE_LIST } from '#accounts/templates/permission_templates'
import { USER_LIST } from '#accounts/users/directory'
import { RECORD_LIST, RRSET_LIST } from '#backends/contract/record_lists'
import type { ListDeclaration } from '#lists/declaration'
import { AUTOPRIMARY_LIST } from '#zones/autoprimaries'
import { CLIENT_LIST } from '#zones/dynamic_dns/client_list'
import { REQUEST_LIST } from '#review/request_list'
import { GROUP_ZONE_LIST } from '#zones/ownership/group_zones'
import { TRASH_LIST } from '#zones/lifecycle/trash_list'
import { TEMPLATE_RECORD_LIST } from '#zones/templates/template_records'
import { ZONE_TEMPLATE_LIST } from '#zones/templates/zone_templates'
import { ZONE_LIST } from '#zones/list/zone_list'

/**
 * Every declared list of the API, by its path below `/api/v2`. The documentation is generated from
 * it, and tests compare it with the specification.
 */
export const LISTS: Readonly<Record<string, ListDeclaration>> = {
  '/api-keys': KEY_LIST,
  '/autoprimaries': AUTOPRIMARY_LIST,
  '/change-requests': REQUEST_LIST,
  '/dynamic-dns/clients': CLIENT_LIST,
  '/dynamic-dns/tokens': KEY_LIST,
  '/groups': GROUP_LIST,
  '/groups/{id}/members': MEMBER_LIST,
  '/groups/{id}/zones': GROUP_ZONE_LIST,
  '/permission-templates': TEMPLATE_LIST,
  '/permissions': PERMISSION_LIST,
  '/trash': TRASH_LIST,
  '/users': USER_LIST,
  '/zone-templates': ZONE_TEMPLATE_LIST,
  '/zone-templates/{id}/records': TEMPLATE_RECORD_LIST,
  '/zones': ZONE_LIST,
  '/zones/{id}/records': RECORD_LIST,
  '/zones/{id}/rrsets': RRSET_LIST,
}
