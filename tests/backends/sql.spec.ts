// @databases
import app from '@adonisjs/core/services/app'
import { BackendManager } from '#backends/manager'
import { PowerDns } from '#tests/support/powerdns'
import { registerDriverContract } from './driver_contract.js'

const DYNAMIC_UPDATES = { 'dnsupdate': 'yes', 'allow-dnsupdate-from': '127.0.0.0/8' }

let server: Promise<PowerDns> | undefined

registerDriverContract({
  name: 'sql',
  async backend() {
    const manager = await app.container.make(BackendManager)
    return manager.use('sql')
  },
  writesRows: true,
  powerdns: () => (server ??= PowerDns.start({ settings: DYNAMIC_UPDATES })),
})
