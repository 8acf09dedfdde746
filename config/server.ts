import { NETWORK_FORMS, parseNetwork } from '#dns/addresses/networks'
import { defineSettings, setting } from '#settings/define'

export default defineSettings('server', {
  workers: setting.integer(
    null,
    { min: 1, max: 64, unit: 'processes', nullable: true },
    'Number of processes of npm start. null: one per core, at most 8; one with SQLite, where a process that waits for the lock of the file cannot do other work. Each process opens up to 10 database connections.'
  ),
  trusted_proxies: setting.stringList(
    [],
    { isItem: (text: string) => parseNetwork(text) !== undefined, says: NETWORK_FORMS },
    'Reverse proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host headers are trusted. List their addresses only: any client in a listed network can claim any address.'
  ),
})
