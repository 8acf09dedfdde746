import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { ActionErrors } from '#changes/model/action_error'
import { checked, InvalidFields } from '#validators/checked'

/** A body with a list: its valid items, and the errors of the others. */
export interface CheckedItems<Body> {
  /** The members; null if no item is valid. The list has the valid items alone. */
  body: Body | null
  /** Index in the request of each valid item. */
  indexes: number[]
  /** Errors of the other items. */
  errors: ActionErrors
  /** The items as the client sent them. */
  raw: readonly unknown[]
}

/**
 * As `checked`, for a body with a list whose items are checked further: one answer has the errors
 * of all stages. Throws `InvalidFields` with all invalid members if one of them is outside the list.
 */
export async function checkedItems<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  body: Readonly<Record<string, unknown>>,
  list: string
): Promise<CheckedItems<Infer<VineValidator<Schema, undefined>>>> {
  const items = body[list]
  const raw = Array.isArray(items) ? (items as unknown[]) : []
  const errors = new ActionErrors()
  try {
    return { body: await checked(validator, body), indexes: [...raw.keys()], errors, raw }
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    const byItem = Map.groupBy(error.invalidFields, ({ field }) => itemOf(field, list))
    if (byItem.has(null)) throw error
    for (const [item, wrong] of byItem) {
      errors.add(item!, new InvalidFields(wrong))
    }
    const indexes = [...raw.keys()].filter((index) => !byItem.has(index))
    const valid = { ...body, [list]: indexes.map((index) => raw[index]) }
    return {
      body: indexes.length > 0 ? await checked(validator, valid) : null,
      indexes,
      errors,
      raw,
    }
  }
}

/** The item of a field such as `actions.3.ttl`; null for a field outside the list. */
function itemOf(field: string, list: string): number | null {
  const [member, index] = field.split('.')
  return member === list && /^\d+$/.test(index ?? '') ? Number(index) : null
}
