import webhooks from '#config/webhooks'
import { isAllowedAddress } from '#events/webhooks/guarded_post'
import { addressOf } from '#support/guarded_lookup'
import { invalid } from '#exceptions/refusal'

const MAX_URL_CHARACTERS = 2_000

/** A URL that a webhook may have, in its one form. Throws a 400 `Refusal`. */
export function parseWebhookUrl(text: string): string {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null
  const schemes = webhooks.allow_http ? ['https:', 'http:'] : ['https:']
  if (!url || !schemes.includes(url.protocol) || url.username || url.password || url.hash) {
    const expectedText = webhooks.allow_http ? 'an http or https URL' : 'an https URL'
    throw invalid(
      `Field 'url' must be ${expectedText} of at most ${MAX_URL_CHARACTERS} characters, without credentials and fragment`
    )
  }
  const address = addressOf(url)
  if (address !== null && !isAllowedAddress(address, webhooks.allowed_networks)) {
    throw invalid(
      `Field 'url': ${address} is not a public address, and not in the setting webhooks.allowed_networks`
    )
  }
  return url.href
}

/** Types as they are stored; none is all. Throws a 400 `Refusal`. */
export function serializeTypes(types: readonly string[]): string | null {
  const invalidType = types.find((type) => !/^[a-z_]{1,32}(\.[a-z_]{1,32})?$/.test(type))
  if (invalidType !== undefined) {
    const found = JSON.stringify(invalidType.slice(0, 100))
    throw invalid(
      `Field 'types' must contain event types such as zone.changed, or prefixes such as zone; found ${found}`
    )
  }
  return types.length === 0 ? null : JSON.stringify([...new Set(types)])
}
