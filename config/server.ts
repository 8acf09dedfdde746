import { NETWORK_FORMS, parseNetwork } from '#dns/addresses/networks'
import { defineSettings, setting } from '#settings/define'

export default defineSettings('server', {
  workers: setting.integer(
    null,
    { min: 1, max: 64, unit: 'processes', nullable: true },
    'How many processes npm start serves with. null is one for each core and 8 at most; with SQLite it is one, because a process that waits for the lock of the file does nothing else. Each takes up to 10 connections of the database.'
  ),
  trusted_proxies: setting.stringList(
    [],
    { isItem: (text: string) => parseNetwork(text) !== undefined, says: NETWORK_FORMS },
    'Reverse proxies whose header X-Forwarded-For says where a request comes from, and whose X-Forwarded-Proto and X-Forwarded-Host say at which address it was asked, for recipes of dynamic DNS where APP_URL is not set. Name them alone, and no network in which callers are: whoever is in it can claim any address.'
  ),
})
