import type { ApiClient } from '@japa/api-client'
import { addToGroup, createTemplate, NOTHING } from '#tests/support/app/people/accounts'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { person, createTeam, type Person } from '#tests/support/app/people/people'

/**
 * Creates the objects in accounts.ts: the user {user}, the group {team} named {teamname} with the member {member}, its zone
 * {teamzone}, the zone {shared} of the users {member} and {admin}, and the unassigned template {unused} named {unusedname}.
 */
export async function accountScene(client: ApiClient, admin: Person) {
  const as = caller(client, admin)
  const [user, member, group] = [await person(), await person(), await createTeam([])]
  await addToGroup(group, member)
  const teamzone = await createZone(as, { name: zoneNamed(), group_ids: [group.id] })
  const shared = await createZone(as, { name: zoneNamed() })
  await as.post(`/zones/${shared.id}/owners`, { user_id: member.id })
  const unusedname = zoneNamed('template')
  return {
    admin: admin.id,
    user: user.id,
    member: member.id,
    team: group.id,
    teamname: group.name,
    teamzone: teamzone.id,
    shared: shared.id,
    unused: await createTemplate(as, ['search'], { name: unusedname }),
    unusedname,
    nothing: NOTHING,
  }
}
