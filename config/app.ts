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
  // Responses contain plain values without cycles. The default serializer searches for both and takes several times as long.
  serializeJSON: (payload: unknown) => JSON.stringify(payload),
  // Journal and audit log store the address: it is that of the connection, or the one from a trusted proxy.
  getIp: ({ request }) =>
    clientAddress(
      request.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for']?.toString(),
      TRUSTED_PROXIES
    ),
  trustProxy: () => false,
  // A comma is part of the value: `sort` takes several fields, and search texts may contain commas.
  qs: { parse: { comma: false } },
  onBadUrl: answerUndecodableUrl,
})
