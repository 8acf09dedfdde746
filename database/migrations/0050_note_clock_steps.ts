import { noteClockSteps } from '#database/clock_steps'
import { OwnSchema } from '#database/own_schema'

/** Steps back of clocks in journals that are there already. */
export default class extends OwnSchema {
  async up() {
    this.defer((client) => noteClockSteps(client, 0, Number.MAX_SAFE_INTEGER))
  }

  async down() {}
}
