/** The policy of SOA-EDIT-API by which a server moves the serial; empty where it leaves it alone. */
export function serialPolicyOf(value: string): string {
  return /^off$/i.test(value) ? '' : value
}
