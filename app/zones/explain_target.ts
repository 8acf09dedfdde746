import { needsOf, type ExplainedAction, type ExplainedObject } from '#access/explain'
import { ownerName } from '#dns/names'
import { recordType } from '#dns/records/registry'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { zoneKind } from '#zones/lifecycle/kinds'

/** What somebody gave to say what a question is about; the zone in whatever form the channel takes. */
export interface GivenObject {
  zone?: string | number
  name?: string
  type?: string
}

/**
 * The object of a question about an action, canonical. Throws a 400 `Refusal` or `InvalidDns` for what is missing
 * or means nothing, and whatever `open` throws.
 *
 * @param labels how the channel calls each part
 * @param open the zone that was given; called where the action is about one
 */
export async function explainedObject(
  action: ExplainedAction,
  given: GivenObject,
  labels: Record<keyof GivenObject, string>,
  open: () => Promise<OpenZone>
): Promise<ExplainedObject> {
  const { name, type = action === 'zone.create' ? 'MASTER' : undefined } = given
  for (const need of needsOf(action)) {
    if ({ ...given, type }[need] === undefined) {
      throw invalid(`'${labels[need]}' is required for the action '${action}'`)
    }
  }
  if (action === 'zone.create') {
    return { type: zoneKind(type!) }
  }
  if (!needsOf(action).includes('zone')) {
    return {}
  }
  const { zone, facts } = await open()
  return action === 'rrset.write'
    ? { zone: facts, name: ownerName(name!, zone.name), type: typeOf(type!, labels.type) }
    : { zone: facts }
}

function typeOf(text: string, label: string): string {
  const type = recordType(text)?.type
  if (type === undefined) {
    const found = JSON.stringify(text.slice(0, 100))
    throw invalid(`'${label}' must be a record type such as A or TXT, found ${found}`)
  }
  return type
}
