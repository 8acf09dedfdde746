import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Verifies the hash chain of the audit log. */
export default class AuditVerify extends BaseCommand {
  static commandName = 'audit:verify'
  static description =
    'Verify that no event of the audit log was altered, removed or added; exit code 1 otherwise'
  static help = [
    'Seals waiting events first. Prints a checkpoint: store it where database administrators cannot',
    'change it, and pass it to a later check with --head.',
    '',
    '--accept repairs nothing: it signs the current end, so that events can be sealed again.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.string({ description: 'A checkpoint that was printed before: <position>:<hash>' })
  declare head?: string

  @flags.boolean({ description: 'Sign an invalid end of the log again, after APP_KEY was changed' })
  declare accept: boolean

  @flags.boolean({ description: 'Print a JSON object' })
  declare json: boolean

  async run() {
    await reportRefusals(this, () => this.#verify())
  }

  async #verify() {
    const { maintainer } = await import('#access/actor')
    const { acceptEnd } = await import('#audit/accept')
    const { ChainBroken } = await import('#audit/head')
    const { sealAll } = await import('#audit/sealer')
    const { verifyLog } = await import('#audit/verifier')
    const { verificationLines } = await import('#terminal/audit_text')
    const { printJson, printLines } = await import('#terminal/output')
    const expectedHead = await this.#expectedHead()
    if (this.accept) {
      await acceptEnd(maintainer())
    }
    try {
      await sealAll()
    } catch (error) {
      // `verifyLog` reports the broken chain with all other findings.
      if (!(error instanceof ChainBroken)) {
        throw error
      }
    }
    const result = await verifyLog(expectedHead)
    // The command verifies the complete log: `next` is for callers that verify in parts.
    await (this.json
      ? printJson({ ...result, next: undefined })
      : printLines(verificationLines(result)))
    this.exitCode = result.findings.length > 0 ? 1 : 0
  }

  async #expectedHead() {
    const { invalid } = await import('#exceptions/refusal')
    if (this.head === undefined) {
      return null
    }
    const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(this.head) ?? []
    if (position === undefined) {
      const quotedHead = JSON.stringify(this.head.slice(0, 100))
      throw invalid(`--head must be <position>:<64 hex digits>, as printed; found ${quotedHead}`)
    }
    return { position: Number(position), hash }
  }
}
