import app from '@adonisjs/core/services/app'
import { BackendManager } from '#backends/manager'
import { PowerDns } from '#tests/support/powerdns'
import { registerDriverContract } from './driver_contract.js'

let server: Promise<PowerDns> | undefined

registerDriverContract({
  name: 'sql',
  async backend() {
    const manager = await app.container.make(BackendManager)
    return manager.use('sql')
  },
  powerdns: () => (server ??= PowerDns.start()),
})
