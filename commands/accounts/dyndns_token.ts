import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates the token of a dynamic DNS host. */
export default class DyndnsToken extends BaseCommand {
  static commandName = 'dyndns:token'
  static description =
    'Create a token for a device that updates hosts; prints {"id":..,"token":".."}'
  static help = [
    'The token is printed once and stored nowhere. It can only set the addresses of these hosts. The user needs the permission to edit their zones.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Owner of the token' })
  declare username: string

  @args.string({ description: 'Host names, separated by commas' })
  declare hosts: string

  @flags.boolean({ description: 'Also allow TXT records of these names' })
  declare txt: boolean

  @flags.string({ description: 'Name of the token; default: the hosts' })
  declare name?: string

  @flags.string({ description: 'Expiry date (ISO 8601)' })
  declare expires?: string

  @flags.string({
    description: 'Networks that can use the token, separated by commas; default: all',
  })
  declare networks?: string

  async run() {
    const { maintainer } = await import('#access/actor')
    const { findActorOfUser } = await import('#accounts/authenticate')
    const { addKey } = await import('#accounts/keys/api_keys')
    const { hostTokenScope } = await import('#accounts/keys/host_tokens')
    const { parseExpiry, parseTexts } = await import('#accounts/keys/options')
    const { commandOptions } = await import('#accounts/terms')
    const { cidr } = await import('#dns/addresses/networks')
    const { notFound } = await import('#exceptions/refusal')
    const { HostsOfTokens } = await import('#zones/dynamic_dns/token_hosts')
    const { default: User } = await import('#models/user')
    await reportRefusals(this, async () => {
      const owner = await User.findBy('username', this.username)
      const user = owner && (await findActorOfUser(owner.id, 'cli'))
      if (!owner || !user) {
        throw notFound(`There is no user named '${this.username}'`)
      }
      const finder = await this.app.container.make(HostsOfTokens)
      const { hosts } = await finder.resolve([user.actor], parseTexts(this.hosts))
      const networks = parseTexts(this.networks).map((text) => cidr(text))
      const scope = hostTokenScope({
        hosts,
        withTxt: Boolean(this.txt),
        zones: null,
        networks: networks.length > 0 ? networks : null,
        expiresAt: parseExpiry(this.expires),
      })
      const name = this.name ?? hosts.join(', ').slice(0, 200)
      const terms = commandOptions(maintainer())
      const { id, key } = await addKey(owner, { name, scope }, terms, 'dyndns')
      process.stdout.write(`${JSON.stringify({ id, token: key })}\n`)
    })
  }
}
