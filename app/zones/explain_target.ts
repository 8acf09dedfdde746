import { requiredObjects, type ExplainedAction, type ExplainedObject } from '#access/explain'
import { ownerName } from '#dns/names'
import { recordType } from '#dns/records/registry'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { zoneKind } from '#zones/lifecycle/kinds'

/** The object of a question, as the caller sent it; the zone in the format of the channel. */
export interface ExplainInput {
  zone?: string | number
  name?: string
  type?: string
}

/**
 * Returns the canonical object of a question about an action. Throws a 400 `Refusal` or
 * `InvalidDns` for missing or invalid parts, and the errors of `open`.
 *
 * @param labels names of the parts in this channel
 * @param open opens the zone; called only if the action applies to a zone
 */
export async function explainedObject(
  action: ExplainedAction,
  input: ExplainInput,
  labels: Record<keyof ExplainInput, string>,
  open: () => Promise<OpenZone>
): Promise<ExplainedObject> {
  const { name, type = action === 'zone.create' ? 'MASTER' : undefined } = input
  for (const neededMember of requiredObjects(action)) {
    if ({ ...input, type }[neededMember] === undefined) {
      throw invalid(`'${labels[neededMember]}' is required for the action '${action}'`)
    }
  }
  if (action === 'zone.create') {
    return { type: zoneKind(type!) }
  }
  if (!requiredObjects(action).includes('zone')) {
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
