import type { ApplicationService } from '@adonisjs/core/types'
import { maintainer } from '#access/actor'
import { zoneName } from '#dns/names'
import { ZoneDirectory, type OpenZone } from '#zones/directory'

/** The zone that a command is about, for the maintainer. Throws a 404 `Refusal` when there is none. */
export async function openZone(app: ApplicationService, name: string): Promise<OpenZone> {
  const directory = await app.container.make(ZoneDirectory)
  return directory.openNamed(maintainer(), zoneName(name), 'zone.view')
}
