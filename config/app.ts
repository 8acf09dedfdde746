import { defineConfig } from '@adonisjs/core/http'

export const http = defineConfig({
  generateRequestId: true,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  // Addresses reach the journal and the audit trail: only what the connection itself says counts.
  trustProxy: () => false,
})
