import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Creates the token of a host. */
export default class DyndnsToken extends BaseCommand {
  static commandName = 'dyndns:token'
  static description =
    'Create the token by which a device updates hosts; prints {"id":..,"token":".."}'
  static help = [
    'The token is printed once and stored nowhere. It sets the addresses of these names and does nothing else; the user must be allowed to edit their zones.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user the token acts for' })
  declare username: string

  @args.string({ description: 'Comma list of host names' })
  declare hosts: string

  @flags.boolean({ description: 'May set TXT records of these names as well' })
  declare txt: boolean

  @flags.string({ description: 'Name of the token; default: the hosts' })
  declare name?: string

  @flags.string({ description: 'ISO 8601 date from which the token no longer works' })
  declare expires?: string

  @flags.string({ description: 'Comma list of networks to call from; default: everywhere' })
  declare networks?: string

  async run() {
    const { maintainer } = await import('#access/actor')
    const { actorOfUser } = await import('#accounts/authenticate')
    const { addKey } = await import('#accounts/keys/api_keys')
    const { hostTokenScope } = await import('#accounts/keys/host_tokens')
    const { expiryFrom, textsFrom } = await import('#accounts/keys/options')
    const { plainTerms } = await import('#accounts/terms')
    const { cidr } = await import('#dns/addresses/networks')
    const { notFound } = await import('#exceptions/refusal')
    const { HostsOfTokens } = await import('#zones/dynamic_dns/token_hosts')
    const { default: User } = await import('#models/user')
    await reportRefusals(this, async () => {
      const owner = await User.findBy('username', this.username)
      const user = owner && (await actorOfUser(owner.id, 'cli'))
      if (!owner || !user) {
        throw notFound(`There is no user named '${this.username}'`)
      }
      const finder = await this.app.container.make(HostsOfTokens)
      const { hosts } = await finder.resolve([user.actor], textsFrom(this.hosts))
      const networks = textsFrom(this.networks).map((text) => cidr(text))
      const scope = hostTokenScope({
        hosts,
        withTxt: Boolean(this.txt),
        zones: null,
        networks: networks.length > 0 ? networks : null,
        expiresAt: expiryFrom(this.expires),
      })
      const name = this.name ?? hosts.join(', ').slice(0, 200)
      const terms = plainTerms(maintainer())
      const { id, key } = await addKey(owner, { name, scope }, terms, 'dyndns')
      process.stdout.write(`${JSON.stringify({ id, token: key })}\n`)
    })
  }
}
