import type { explanationItem } from '#transformers/accounts/explanation'

/** A decision in words: who may do what, and a line for each reason. */
export function explanationLines(
  { decision, action, user, api_key_id: keyId, reasons }: ReturnType<typeof explanationItem>,
  zone: string | undefined
): string[] {
  const who = keyId === null ? user.username : `${user.username} with API key ${keyId}`
  const where = zone === undefined ? '' : ` on ${zone}`
  const may = decision === 'deny' ? 'may not' : 'may'
  const how = decision === 'request' ? ', through review' : ''
  return [
    `${who} ${may} ${action}${where}${how}`,
    ...reasons.map(({ rule, message, source }) => `  ${rule}: ${message} (${source})`),
  ]
}
