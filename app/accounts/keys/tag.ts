import { scopeColumns } from '#accounts/keys/scope'
import type { KeyIdentity } from '#accounts/keys/identity'
import { demandTag, stateTag } from '#exceptions/state_tag'

/** What of a key tells whether it is still as it was. */
interface TaggedKey {
  row: Pick<KeyIdentity['row'], 'name' | 'prefix' | 'enabled'>
  scope: KeyIdentity['scope']
}

/** The `stateTag` of a key. */
export function keyTag({ row, scope }: TaggedKey): string {
  const zones = scope.zones && [...scope.zones.keys()].sort((one, other) => one - other)
  return stateTag([row.name, row.prefix, Boolean(row.enabled), scopeColumns(scope), zones])
}

/** Throws a 412 `Refusal` where the key is another one by now. */
export function demandKeyTag(key: TaggedKey, tag: string): void {
  demandTag(keyTag(key), tag)
}
