import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import type { ExplainedAction, ExplainedObject } from '#access/explain'
import { reportRefusals } from '#exceptions/command_errors'

/** Explains why a user may or may not do something. */
export default class Explain extends BaseCommand {
  static commandName = 'explain'
  static description = 'Show whether a user can perform an action, and why'
  static help = [
    'Actions: zone.view, zone.edit_records, rrset.write (with --name and --type), zone.delete,',
    'zone.create, user.list and others. For an unknown action, lists all of them.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the user' })
  declare username: string

  @args.string({ description: 'Action, e.g. zone.view' })
  declare action: string

  @flags.string({ description: 'Name of the zone' })
  declare zone?: string

  @flags.string({ description: 'Owner name: relative to the zone, @ or absolute' })
  declare name?: string

  @flags.string({ description: 'Record type; for zone.create the type of the zone' })
  declare type?: string

  @flags.string({ description: 'Id of an API key of the user' })
  declare key?: string

  @flags.boolean({ description: 'Print JSON, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, () => this.#explain())
  }

  async #explain() {
    const { maintainer } = await import('#access/actor')
    const { explain, explainedAction } = await import('#access/explain')
    const { findSubject } = await import('#accounts/explained_subject')
    const { findUser } = await import('#accounts/users/named_users')
    const { notFound } = await import('#exceptions/refusal')
    const { explanationLines } = await import('#terminal/explanation_text')
    const { printJson, printLines } = await import('#terminal/output')
    const { explanationItem } = await import('#transformers/accounts/explanation')
    const action = explainedAction(this.action)
    const user = await findUser(this.username)
    if (!user) {
      throw notFound(`There is no user named '${this.username}'`)
    }
    const keyId = await this.#keyId()
    const subject = await findSubject(maintainer(), { userId: user.id, keyId })
    const explanation = explain(subject.actor, action, await this.#object(action))
    const item = explanationItem(action, subject, explanation)
    await (this.json ? printJson(item) : printLines(explanationLines(item, this.zone)))
  }

  async #keyId(): Promise<number | null> {
    const { invalid } = await import('#exceptions/refusal')
    if (this.key !== undefined && !/^[1-9]\d{0,14}$/.test(this.key)) {
      throw invalid(`--key must be the id of an API key, found "${this.key}"`)
    }
    return this.key === undefined ? null : Number(this.key)
  }

  async #object(action: ExplainedAction): Promise<ExplainedObject> {
    const { explainedObject } = await import('#zones/explain_target')
    const { openZone } = await import('#terminal/zone')
    const { zone, name, type } = this
    return explainedObject(
      action,
      { zone, name, type },
      { zone: '--zone', name: '--name', type: '--type' },
      () => openZone(this.app, zone!)
    )
  }
}
