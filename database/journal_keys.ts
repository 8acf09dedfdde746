/** Whether an entry that changed properties of the zone changed its name. */
export const RENAMES = `zone_before LIKE '%"name":%'`
