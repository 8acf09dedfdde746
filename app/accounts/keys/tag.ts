import { createHash } from 'node:crypto'
import { scopeColumns } from '#accounts/keys/scope'
import type { KeyIdentity } from '#accounts/keys/identity'
import { Refusal } from '#exceptions/refusal'

/** What of a key tells whether it is still as it was. */
interface Seen {
  row: Pick<KeyIdentity['row'], 'name' | 'prefix' | 'enabled'>
  scope: KeyIdentity['scope']
}

/** What a key is at a moment, as 32 hex digits: whoever changes it by a form says by this what they saw. */
export function keyTag({ row, scope }: Seen): string {
  const zones = scope.zones && [...scope.zones.keys()].sort((one, other) => one - other)
  const state = [row.name, row.prefix, Boolean(row.enabled), scopeColumns(scope), zones]
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 32)
}

/** Throws a 412 `Refusal` where the key is another one by now. */
export function demandKeyTag(key: Seen, tag: string): void {
  if (keyTag(key) !== tag) {
    throw new Refusal(412, 'The API key was changed in the meantime')
  }
}
