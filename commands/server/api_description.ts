import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'

/** Prints the OpenAPI description, for client generators and validators. */
export default class ApiDescription extends BaseCommand {
  static commandName = 'api:description'
  static description =
    'Print the OpenAPI description of the API, as /api/docs/openapi.json serves it'
  static options: CommandOptions = { startApp: true }

  async run() {
    const { apiDescription } = await import('#openapi/api')
    const { printJson } = await import('#terminal/output')
    await printJson(apiDescription())
  }
}
