import { defineConfig } from '@adonisjs/core/http'
import serverSettings from '#config/server'
import { clientAddress } from '#dns/addresses/client_address'
import { parseNetworks } from '#dns/addresses/networks'
import { answerUndecodableUrl } from '#middleware/undecodable_url'

const TRUSTED_PROXIES = parseNetworks(serverSettings.trusted_proxies)

export const http = defineConfig({
  generateRequestId: true,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  // Answers hold plain values and no cycles: what looks for those takes several times as long.
  serializeJSON: (payload: unknown) => JSON.stringify(payload),
  // Addresses reach the journal and the audit trail: what counts is what the connection itself says, and those
  // proxies that the operator names.
  getIp: ({ request }) =>
    clientAddress(
      request.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for']?.toString(),
      TRUSTED_PROXIES
    ),
  trustProxy: () => false,
  // A comma is part of its value: `sort` takes several fields, and texts that are looked for may have one.
  qs: { parse: { comma: false } },
  onBadUrl: answerUndecodableUrl,
})
