/** The value of a row in one field of an order: a number, a text that sorts as the field does, or null. */
export type KeyValue = string | number | null

/** The position of a row in the order of a list: one value for each field. Unique, and valid while other rows change. */
export type RowKey = readonly KeyValue[]
