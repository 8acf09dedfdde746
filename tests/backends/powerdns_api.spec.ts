// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsApiBackend } from '#backends/powerdns_api/driver'
import { PowerDnsSigning } from '#backends/powerdns_api/signing'
import { PowerDns } from '#tests/support/powerdns'
import { registerDriverContract } from './driver_contract.js'

const DYNAMIC_UPDATES = { 'dnsupdate': 'yes', 'allow-dnsupdate-from': '127.0.0.0/8' }

/** Lucid connection of the name server's own database. */
const CONNECTION = 'pdns'

let server: Promise<PowerDns> | undefined
let backend: PowerDnsApiBackend | undefined

async function start(): Promise<PowerDns> {
  const powerdns = await PowerDns.start({ api: true, ownDatabase: true, settings: DYNAMIC_UPDATES })
  db.manager.add(CONNECTION, {
    client: 'better-sqlite3',
    connection: { filename: powerdns.databaseFile },
    useNullAsDefault: true,
  })
  return powerdns
}

registerDriverContract({
  name: 'powerdns_api',
  writesRows: false,
  connection: CONNECTION,
  async backend() {
    const powerdns = await (server ??= start())
    const url = powerdns.apiUrl!.replace(/\/api\/.*/, '')
    const client = new PowerDnsClient({ url, key: powerdns.apiKey, serverName: 'localhost' })
    backend ??= new PowerDnsApiBackend(await app.container.make('lucid.db'), {
      client,
      signing: new PowerDnsSigning(client),
    })
    return backend
  },
  powerdns: () => (server ??= start()),
})
