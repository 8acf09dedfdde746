import { canonicalJson } from '#audit/canonical_json'
import type { ListedEvent } from '#audit/reader'
import type { Verification } from '#audit/verifier'
import { printable } from '#terminal/paint'

/** The line of an event: position, time, who and from where, what to what, what came of it, detail. */
export function eventLine({ entry, position }: ListedEvent): string {
  const { time, actor, action, object, outcome, detail } = entry
  const who = actor.username === null ? 'unknown' : printable(actor.username)
  const key = actor.api_key_id === null ? '' : ` key ${actor.api_key_id}`
  const from =
    actor.address === null ? actor.channel : `${actor.channel} ${printable(actor.address)}`
  const name = object?.name === null || object?.name === undefined ? '' : printable(object.name)
  const what = object
    ? [object.kind, object.id, name].filter((word) => word !== null && word !== '')
    : []
  return [
    position === null ? '-' : String(position),
    time,
    `${who}${key} (${from})`,
    [action, ...what].join(' '),
    outcome,
    printable(canonicalJson(detail)),
  ].join('  ')
}

/** Output of `audit:verify`: the errors, the number of valid events, and the end to record elsewhere. */
export function verificationLines({ findings, verified, unsealed, head, anchor }: Verification) {
  const removed = anchor && anchor.position > 0 ? `; removed up to position ${anchor.position}` : ''
  return [
    ...findings.map(({ kind, position, message }) => {
      const where = position === null ? '' : ` (position ${position})`
      return `${kind}${where}: ${message}`
    }),
    `${verified} events verified, ${findings.length} findings, ${unsealed} not sealed yet${removed}`,
    ...(head ? [`Head: ${head.position}:${head.hash}`] : []),
  ]
}
