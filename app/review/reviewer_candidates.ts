import db from '@adonisjs/lucid/services/db'
import { PERMISSIONS, type Permission } from '#access/permissions'
import type { ChangeRequest } from '#changes/model/change_request'
import { findRequestZoneIds } from '#review/request_zones'

/** Maximum of users per kind. */
const MAX_CANDIDATES = 500

/** Permissions to review requests of any zone, and of owned zones. */
const ALL_ZONES_PERMISSIONS: Permission[] = ['user_is_ueberuser', 'zone_change_approve_others']
const OWNED_ZONES_PERMISSIONS: Permission[] = ['zone_change_approve_own']

/**
 * Ids of users who may be reviewers of a request and can get mail, without its author; owners of
 * the zone first. The caller checks their rights. A limited number, by indexes.
 */
export async function findReviewerCandidates(request: ChangeRequest): Promise<number[]> {
  const reviewerTemplates = await findTemplatesWith(ALL_ZONES_PERMISSIONS)
  const ownerTemplates = await findTemplatesWith(OWNED_ZONES_PERMISSIONS)
  // A reviewer by ownership owns every zone of the request: one zone finds them all. A missing zone
  // has no owner.
  const [zoneId] = await findRequestZoneIds(request)
  const users = () => selectUsersWithMail(request.requester.id)
  const owners =
    zoneId === null
      ? []
      : [
          users()
            .join('zw_zone_owners as o', 'o.user_id', 'u.id')
            .where('o.zone_id', zoneId)
            .whereIn('u.permission_template_id', ownerTemplates),
          onlyMembers(users(), ownerTemplates)
            .join('zw_zone_groups as z', 'z.group_id', 'g.id')
            .where('z.zone_id', zoneId),
        ]
  const candidateQueries = [
    ...owners,
    users().whereIn('u.permission_template_id', reviewerTemplates),
    onlyMembers(users(), reviewerTemplates),
  ]
  const candidates = new Set<number>()
  for (const query of candidateQueries) {
    const rows = (await query) as { id: number }[]
    rows.forEach(({ id }) => candidates.add(id))
  }
  return [...candidates]
}

/** Users who can get mail, except one. */
function selectUsersWithMail(exceptUserId: number | null) {
  return db
    .from('zw_users as u')
    .where('u.active', true)
    .whereNotNull('u.email')
    .whereNot('u.email', '')
    .whereNot('u.id', exceptUserId ?? 0)
    .orderBy('u.id')
    .limit(MAX_CANDIDATES)
    .distinct('u.id')
}

/** The users who are members of groups with these templates. */
function onlyMembers(users: ReturnType<typeof selectUsersWithMail>, templates: number[]) {
  return users
    .join('zw_group_members as m', 'm.user_id', 'u.id')
    .join('zw_groups as g', 'g.id', 'm.group_id')
    .whereIn('g.permission_template_id', templates)
}

/** Ids of the permission templates with one of these permissions. */
async function findTemplatesWith(permissions: Permission[]): Promise<number[]> {
  const rows: { template_id: number }[] = await db
    .from('zw_permission_template_items')
    .whereIn(
      'permission_id',
      permissions.map((name) => PERMISSIONS[name].id)
    )
    .distinct('template_id')
  return rows.map(({ template_id: id }) => id)
}
