import type { Infer } from '@vinejs/vine/types'
import type { Actor } from '#access/actor'
import { rowIdIn } from '#database/rows/row_ids'
import { invalid } from '#exceptions/refusal'
import type { bulkForm } from '#validators/web/zones'
import { BULK_ACTIONS, type BulkAction, type BulkItem } from '#web/bulk/bulk'
import type { BulkChange } from '#web/bulk/plans'
import { groupNamed, canAssignGroups, templateIn, userNamed } from '#web/forms/choices'
import type { RetainedOwners } from '#zones/ownership/transfer'

/** The form of a bulk change of zones. */
export type BulkForm = Infer<typeof bulkForm>

/** The action of the form. Throws a 400 `Refusal` for an unknown one. */
export function actionIn({ action }: BulkForm): BulkAction {
  const known = BULK_ACTIONS.find((one) => one === action)
  if (!known) {
    throw invalid(`Field 'action' must be one of ${BULK_ACTIONS.join(', ')}`)
  }
  return known
}

/** Ids of zones that were ticked, on this page and on others, each once. */
export function idsIn({ ids = [], more = '' }: BulkForm): number[] {
  const found = [...more.split(','), ...ids].map(rowIdIn)
  return [...new Set(found)].filter((id) => id > 0)
}

/** Values of the field of retained owners; `yes` is from older pages. */
const RETAINED_OWNERS: Partial<Record<string, RetainedOwners>> = {
  yes: 'all',
  all: 'all',
  none: 'none',
}

/** The order of the form; null without owner or template. Throws a 400 `Refusal`. */
export async function orderIn(actor: Actor, form: BulkForm): Promise<BulkChange | null> {
  const action = actionIn(form)
  const retainedOwners = RETAINED_OWNERS[form.keeps_others ?? ''] ?? 'groups'
  switch (action) {
    case 'delete':
      return { action }
    case 'owner': {
      if (form.owner_kind === 'group') {
        const word = form.owner_group ?? ''
        const id = canAssignGroups(actor) ? await groupNamed(word) : rowIdIn(word)
        return { action, owner: { kind: 'group', id, retainedOwners } }
      }
      if (form.owner_kind === undefined) {
        return null
      }
      const id = await userNamed(form.owner ?? '')
      return { action, owner: { kind: 'user', id, retainedOwners } }
    }
    case 'template': {
      const templateId = await templateIn(actor, form)
      if (templateId === undefined) {
        return null
      }
      const localChanges = form.local_changes === 'overwrite' ? 'overwrite' : 'keep'
      return { action, templateId, localChanges, link: form.link !== 'no' }
    }
  }
}

/** Zones with the tokens of their plans. */
export function itemsIn({ items = '' }: BulkForm): BulkItem[] {
  return items.split(',').flatMap((item) => {
    const [, digits = '', token] = /^(\d{1,10}):([\w:=+/-]{1,128})$/.exec(item) ?? []
    const id = rowIdIn(digits)
    return id === 0 ? [] : [{ id, token }]
  })
}

/** Zones with plan tokens, in the form that `itemsIn` parses. */
export function itemsText(items: readonly BulkItem[]): string {
  return items.map(({ id, token }) => `${id}:${token}`).join(',')
}
