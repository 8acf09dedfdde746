import type { Infer } from '@vinejs/vine/types'
import { DateTime } from 'luxon'
import { KEY_OPERATIONS } from '#accounts/keys/options'
import { InvalidDns } from '#dns/errors'
import { cidr } from '#dns/addresses/networks'
import type { apiKeyItem } from '#transformers/accounts/api_key'
import { updateApiKeyValidator } from '#validators/accounts/api_key'
import type { keyForm } from '#validators/web/keys'
import { formBody } from '#web/forms/body'
import { zonedTimestamp } from '#web/format/date_input'
import { localized } from '#web/forms/localized_error'

export type KeyForm = Infer<typeof keyForm>
type Item = ReturnType<typeof apiKeyItem>
type Body = Infer<typeof updateApiKeyValidator>
type Access = 'all' | 'read' | 'some'
type Scope = 'all' | 'some'

/** Values of the form of a key; '' for a choice without selection. */
export interface KeyValues {
  name: string
  owner: string
  access: Access | ''
  operations: string[]
  zone_scope: Scope | ''
  zones: string
  /** Searched text of zones. */
  zone_q: string
  name_scope: Scope | ''
  patterns: string
  networks: string
  expires_at: string
  idle_days: string
}

const ACCESSES: readonly Access[] = ['all', 'read', 'some']
const SCOPES: readonly Scope[] = ['all', 'some']

/** Form values of a key without restrictions. */
export const DEFAULT_KEY_VALUES: KeyValues = {
  name: '',
  owner: '',
  access: 'all',
  operations: [],
  zone_scope: 'all',
  zones: '',
  zone_q: '',
  name_scope: 'all',
  patterns: '',
  networks: '',
  expires_at: '',
  idle_days: '',
}

/** Values for an existing key; timestamps in the time zone of the user, to the minute. */
export function valuesOfKey(key: Item, timeZone: string): KeyValues {
  const isSome = key.operations.length > 0 && !key.read_only
  return {
    name: key.name,
    owner: key.owner.username,
    access: key.read_only ? 'read' : isSome ? 'some' : 'all',
    operations: [...key.operations],
    zone_scope: key.zone_restricted ? 'some' : 'all',
    zones: key.zones.map(({ name }) => name).join('\n'),
    zone_q: '',
    name_scope: key.pattern_restricted ? 'some' : 'all',
    patterns: key.patterns
      .map(({ name, types }) => [name, types.join(',')].join(' ').trim())
      .join('\n'),
    networks: key.networks.join('\n'),
    expires_at: key.expires_at === null ? '' : displayedTimestamp(key.expires_at, timeZone),
    idle_days: key.idle_days === null ? '' : String(key.idle_days),
  }
}

/** Values of a submitted form; absent fields are unticked, empty, or not chosen. */
export function valuesOfForm(form: KeyForm): KeyValues {
  const zones = [...linesOf(form.zones), ...(form.found ?? [])]
  return {
    name: form.name?.trim() ?? '',
    owner: form.owner?.trim() ?? '',
    access: ACCESSES.find((one) => one === form.access) ?? '',
    operations: [...new Set(form.operations)],
    zone_scope: SCOPES.find((one) => one === form.zone_scope) ?? '',
    zones: [...new Set(zones)].join('\n'),
    zone_q: form.zone_q?.trim() ?? '',
    name_scope: SCOPES.find((one) => one === form.name_scope) ?? '',
    patterns: form.patterns ?? '',
    networks: form.networks ?? '',
    expires_at: form.expires_at?.trim() ?? '',
    idle_days: form.idle_days?.trim() ?? '',
  }
}

/** Translates a text into the language of the page. */
type Translate = (key: string, data?: Record<string, string>) => string

/** The key before the change. */
interface KnownKey {
  values: KeyValues
  /** All zones that it is for, those too that the visitor does not see. */
  zones: ReadonlyMap<number, string>
  /** Ids of the zones that the form shows. */
  shownZoneIds: ReadonlySet<number>
}

/**
 * The body for the API. An empty restriction is an error, unless it was empty before; so is a restriction that is filled in
 * but not chosen: a key may never do more than the form shows. Throws a 400 `Refusal` with a text of `says`.
 *
 * @param knownKey the key that is changed; absent for a new one
 */
export async function bodyOfKey(
  values: KeyValues,
  timeZone: string,
  translate: Translate,
  knownKey?: KnownKey
): Promise<Body & { name: string }> {
  if (values.name === '') {
    throw localized(translate('keys.no_name'), 'name')
  }
  refuseUnchosen(values, translate, knownKey)
  if (values.access === 'some' && values.operations.length === 0) {
    throw localized(translate('keys.no_operations'), 'access')
  }
  const zones = zonesIn(values, knownKey)
  const patterns = linesOf(values.patterns).map(patternIn)
  const isForZones = values.zone_scope === 'some'
  const isForNames = values.name_scope === 'some'
  if (isForZones && zones.length === 0 && knownKey?.values.zone_scope !== 'some') {
    throw localized(translate('keys.no_zones'), 'zones')
  }
  const wasForNone = knownKey?.values.name_scope === 'some' && knownKey.values.patterns === ''
  if (isForNames && patterns.length === 0 && !wasForNone) {
    throw localized(translate('keys.no_patterns'), 'patterns')
  }
  const isExpiryUnchanged =
    knownKey !== undefined && values.expires_at === knownKey.values.expires_at
  const moment = zonedTimestamp('expires_at', values.expires_at, timeZone)
  const body = {
    name: values.name,
    read_only: values.access === 'read',
    ...operationsIn(values, knownKey),
    zones: isForZones ? zones : [],
    zone_restricted: isForZones,
    patterns: isForNames ? patterns : [],
    pattern_restricted: isForNames,
    networks: networksIn(values.networks, translate),
    ...(isExpiryUnchanged ? {} : { expires_at: moment === '' ? null : moment }),
    idle_days: values.idle_days === '' ? null : values.idle_days,
  }
  const words = { idle_days: translate('keys.bad_days') }
  return { name: body.name, ...(await formBody(updateApiKeyValidator, body, words)) }
}

/** Throws a 400 `Refusal` for a missing choice, and for a restriction with values whose choice is "none". */
function refuseUnchosen(values: KeyValues, translate: Translate, knownKey?: KnownKey): void {
  const { access, zone_scope: forZones, name_scope: forNames } = values
  // A read-only key retains its other operations.
  const retainedOperations =
    access === 'read' && knownKey?.values.access === 'read' ? knownKey.values.operations : []
  const mistakes: [isMistake: boolean, key: string, field: string][] = [
    [access === '', 'keys.no_access', 'access'],
    [
      access !== 'some' && values.operations.some((one) => !retainedOperations.includes(one)),
      'keys.unchosen_operations',
      'access',
    ],
    [forZones === '', 'keys.no_zone_scope', 'zone_scope'],
    [forZones === 'all' && isTyped(values.zones), 'keys.unchosen_zones', 'zones'],
    [forZones === 'all' && isTyped(values.zone_q), 'keys.unchosen_search', 'zone_q'],
    [forNames === '', 'keys.no_name_scope', 'name_scope'],
    [forNames === 'all' && isTyped(values.patterns), 'keys.unchosen_patterns', 'patterns'],
  ]
  const mistake = mistakes.find(([isMistake]) => isMistake)
  if (mistake) {
    const [, key, field] = mistake
    throw localized(translate(key), field)
  }
}

function isTyped(text: string): boolean {
  return text.trim() !== ''
}

/** Lines without those that are empty. */
export function linesOf(text = ''): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Splits a list at line breaks, commas and spaces. */
export function wordsOf(text = ''): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '')
}

/** Parses submitted networks. Throws a 400 `Refusal` in the language of the page for an invalid one. */
export function networksIn(text: string | undefined, translate: Translate): string[] {
  const words = wordsOf(text)
  for (const found of words) {
    try {
      cidr(found)
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      throw localized(translate('keys.bad_network', { found: found.slice(0, 100) }), 'networks')
    }
  }
  return words
}

/** A read-only key retains its other operations for a later change of access. */
function operationsIn(values: KeyValues, knownKey?: KnownKey): Pick<Body, 'operations'> {
  if (values.access === 'read' && knownKey?.values.access === 'read') {
    return {}
  }
  const isAll = KEY_OPERATIONS.every((one) => values.operations.includes(one))
  // An unknown operation is refused with the message of the API.
  const selectedOperations = values.operations as Body['operations']
  return { operations: values.access === 'some' && !isAll ? selectedOperations : [] }
}

function zonesIn({ zones }: KeyValues, knownKey?: KnownKey): (number | string)[] {
  const ids = new Map([...(knownKey?.zones ?? [])].map(([id, name]) => [name, id]))
  const hidden = [...(knownKey?.zones ?? [])].flatMap(([id]) =>
    knownKey?.shownZoneIds.has(id) ? [] : [id]
  )
  return [...wordsOf(zones).map((name) => ids.get(name) ?? name), ...hidden]
}

function patternIn(line: string): { name: string; types: string[] } {
  const [name, ...types] = line.split(/[\s,;:+]+/).filter((word) => word !== '')
  return { name, types: types.map((type) => type.toUpperCase()) }
}

function displayedTimestamp(at: string, timeZone: string): string {
  return DateTime.fromISO(at, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm')
}
