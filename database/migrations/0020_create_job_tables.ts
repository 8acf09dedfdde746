import { OwnSchema, longText, moment } from '#database/own_schema'

/** Jobs that run once over all nodes: who runs which, and what became of each run. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('job_leases', (table) => {
      table.string('job', 64).primary()
      // Every due moment up to this one was dealt with.
      moment(table, 'handled_until').notNullable()
      table.integer('failures').notNullable().defaultTo(0)
      moment(table, 'retry_at').nullable()
      // The run that is on, and until when it need not give a sign of life.
      table.bigInteger('run_id').nullable()
      moment(table, 'leased_until').nullable()
      // Grows with every decision: of two nodes that decide at once, one finds it moved.
      table.integer('version').notNullable().defaultTo(0)
    })

    this.createOwnTable('job_runs', (table) => {
      table.bigIncrements('id')
      table.string('job', 64).notNullable()
      moment(table, 'due_at').notNullable()
      // schedule, catch-up, retry or manual.
      table.string('cause', 16).notNullable()
      // Due moments before it that it stands for.
      table.integer('missed').notNullable().defaultTo(0)
      // queued, running, succeeded, failed, timed_out, stopped or lost.
      table.string('outcome', 16).notNullable()
      table.string('node', 128).nullable()
      table.string('requested_by', 64).nullable()
      moment(table, 'started_at').nullable()
      moment(table, 'ended_at').nullable()
      table.integer('exit_code').nullable()
      // The last lines.
      longText(table, 'output').nullable()
      // Two nodes for one due moment: this decides in the end.
      table.unique(['job', 'due_at'], { indexName: 'zw_job_runs_due' })
      table.index(['job', 'id'], 'zw_job_runs_job')
      table.index(['outcome', 'id'], 'zw_job_runs_outcome')
    })
  }

  async down() {
    this.dropOwnTables('job_runs', 'job_leases')
  }
}
