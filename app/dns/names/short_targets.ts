import type { Violation } from '#dns/rules/violation'
import type { RRsetKey } from '#dns/types'

/** Types whose content has a target, and which word of it that is; -1 is the last. */
const TARGETS: Readonly<Record<string, number>> = {
  AFSDB: -1,
  ALIAS: -1,
  CNAME: -1,
  DNAME: -1,
  HTTPS: 1,
  KX: -1,
  MX: -1,
  NS: -1,
  PTR: -1,
  SRV: -1,
  SVCB: 1,
}
/** One label that is no address and no generic data. */
const ONE_LABEL = /^(?!\d+$)[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u
/** Targets that mean an action in response policy zones (doc.powerdns.com/recursor, RPZ). */
const POLICY = /^rpz-/i

/**
 * The content as it is meant, where people and clients write it: a target of one label without a final dot is
 * relative to the zone, as in zone files (RFC 1035, 5.1). `mail.` is the top-level name. Every other content
 * comes back as it is.
 *
 * @param type    mnemonic in any case
 * @param content as it was written
 * @param apex    canonical name of the zone
 */
export function withFullTarget(type: string, content: string, apex: string): string {
  const at = TARGETS[type.toUpperCase()]
  if (at === undefined) return content
  const words = content.trim().split(/\s+/)
  const index = at < 0 ? words.length + at : at
  const target = words[index]
  if (!target || words[0] === '\\#' || !ONE_LABEL.test(target) || POLICY.test(target)) {
    return content
  }
  return words.with(index, `${target}.${apex}.`).join(' ')
}

/**
 * Says how a target of one label was read.
 *
 * @param content what `withFullTarget` made of it
 */
export function shortTargetWarning(
  apex: string,
  { name, type }: RRsetKey,
  content: string
): Violation {
  const target = content.split(' ').at(TARGETS[type]) ?? ''
  const label = target.slice(0, -apex.length - 2)
  return {
    rule: 'target-short',
    severity: 'warning',
    name,
    type,
    message: `${name} ${type}: the target "${label}" has no dot and was read as ${target}; the top-level name is written "${label}." (RFC 1035, 5.1)`,
  }
}

/** Records as people and clients write them. */
export function typed<Item extends object>(records: readonly Item[]): (Item & { isTyped: true })[] {
  return records.map((record) => ({ ...record, isTyped: true }))
}
