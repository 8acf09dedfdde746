import { scopeColumns } from '#accounts/keys/scope'
import type { KeyIdentity } from '#accounts/keys/identity'
import { demandTag, stateTag } from '#exceptions/state_tag'

/** Members that decide whether a key has changed. */
interface TaggedKey {
  row: Pick<KeyIdentity['row'], 'name' | 'prefix' | 'enabled'>
  scope: KeyIdentity['scope']
}

/** Entity tag of a key. */
export function keyTag({ row, scope }: TaggedKey): string {
  const zones = scope.zones && [...scope.zones.keys()].sort((one, other) => one - other)
  return stateTag([row.name, row.prefix, Boolean(row.enabled), scopeColumns(scope), zones])
}

/** Throws a 412 `Refusal` if the key has changed. */
export function checkKeyTag(key: TaggedKey, tag: string): void {
  demandTag(keyTag(key), tag)
}
