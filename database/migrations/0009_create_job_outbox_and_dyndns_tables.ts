import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/** Creates job runs, the outbox, the stored answers of `Idempotency-Key`, and the state of dynamic DNS. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createJobs()
    this.#createOutbox()
    this.#createIdempotencyKeys()
    this.#createDyndns()
  }

  async down() {
    this.dropZonewrightTables(
      'dyndns_clients',
      'dyndns_limits',
      'idempotency_keys',
      'outbox',
      'job_runs',
      'job_leases'
    )
  }

  /** Each due run of a job is executed once, whatever the number of nodes. */
  #createJobs() {
    this.createZonewrightTable('job_leases', (table) => {
      table.string('job', 64).primary()
      // All due times up to this one were processed.
      timestampColumn(table, 'handled_until').notNullable()
      table.integer('failures').notNullable().defaultTo(0)
      timestampColumn(table, 'retry_at').nullable()
      // The current run, and the end of its lease.
      table.bigInteger('run_id').nullable()
      timestampColumn(table, 'leased_until').nullable()
      // Increases with every decision: of two concurrent nodes one finds it changed.
      table.integer('version').notNullable().defaultTo(0)
    })

    this.createZonewrightTable('job_runs', (table) => {
      table.bigIncrements('id')
      table.string('job', 64).notNullable()
      timestampColumn(table, 'due_at').notNullable()
      // schedule, catch-up, retry or manual.
      table.string('cause', 16).notNullable()
      // Number of earlier due times that this run replaces.
      table.integer('missed').notNullable().defaultTo(0)
      // queued, running, succeeded, failed, timed_out, stopped or lost.
      table.string('outcome', 16).notNullable()
      table.string('node', 128).nullable()
      table.string('requested_by', 64).nullable()
      timestampColumn(table, 'started_at').nullable()
      timestampColumn(table, 'ended_at').nullable()
      table.integer('exit_code').nullable()
      // The last lines of the output.
      longText(table, 'output').nullable()
      // Of two nodes that start a run for the same due time, one fails.
      table.unique(['job', 'due_at'], { indexName: 'zw_job_runs_due' })
      table.index(['job', 'id'], 'zw_job_runs_job')
      table.index(['outcome', 'id'], 'zw_job_runs_outcome')
    })
  }

  /** Work that has to follow a committed transaction. */
  #createOutbox() {
    this.createZonewrightTable('outbox', (table) => {
      table.bigIncrements('id')
      table.string('kind', 16).notNullable()
      // By value: the row stays when the zone is deleted.
      table.integer('zone_id').nullable()
      table.string('zone_name', 255).notNullable()
      longText(table, 'payload').nullable()
      timestampColumn(table, 'created_at').notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      timestampColumn(table, 'next_at').notNullable()
      // The process that works on the row, and the end of its lease.
      table.string('lease', 36).nullable()
      timestampColumn(table, 'leased_until').nullable()
      // When it was done, or given up if `last_error` is set.
      timestampColumn(table, 'done_at').nullable()
      table.string('last_error', 500).nullable()
      table.index(['done_at', 'next_at'], 'zw_outbox_due')
      table.index(['lease'], 'zw_outbox_lease')
    })
  }

  /** Requests with the header `Idempotency-Key`, and their answers. */
  #createIdempotencyKeys() {
    this.createZonewrightTable('idempotency_keys', (table) => {
      table.bigIncrements('id')
      // User and API key: keys of different callers are independent.
      table.string('caller', 64).notNullable()
      // Hex SHA-256 of the header's value.
      table.string('key_hash', 64).notNullable()
      // Hex SHA-256 of method, path with query, and body.
      table.string('fingerprint', 64).notNullable()
      // running, applied (the change is committed) or done (the answer is stored).
      table.string('state', 8).notNullable()
      table.integer('status').nullable()
      // JSON object; names are lower case.
      longText(table, 'headers').nullable()
      longText(table, 'body').nullable()
      timestampColumn(table, 'created_at').notNullable()
      // Heartbeat of the process that runs the request. After it expires, another request takes over.
      timestampColumn(table, 'leased_until').notNullable()
      timestampColumn(table, 'expires_at').notNullable()
      // Of two concurrent requests with the same key, one fails.
      table.unique(['caller', 'key_hash'], { indexName: 'zw_idempotency_keys_key' })
      table.index(['expires_at'], 'zw_idempotency_keys_expiry')
    })
  }

  #createDyndns() {
    this.createZonewrightTable('dyndns_limits', (table) => {
      // `host <name>` or `net <network>`.
      table.string('subject', 300).notNullable().primary()
      table.integer('changes').notNullable()
      // The changes are counted until then.
      timestampColumn(table, 'expires_at').notNullable()
      table.index(['expires_at'], 'zw_dyndns_limits_expiry')
    })

    this.createZonewrightTable('dyndns_clients', (table) => {
      table.increments('id')
      table.string('hostname', 255).notNullable().unique({ indexName: 'zw_dyndns_clients_host' })
      // The zone by id and name: another zone may get the same id later.
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      timestampColumn(table, 'first_seen_at').notNullable()
      timestampColumn(table, 'last_seen_at').notNullable()
      table.string('last_code', 16).notNullable()
      // Address of the connection, and the User-Agent header.
      table.string('client_address', 64).nullable()
      table.string('user_agent', 255).notNullable()
      table.string('channel', 16).notNullable()
      table.string('username', 64).nullable()
      table.integer('api_key_id').nullable()
      // The current addresses of the host, as comma lists.
      longText(table, 'ipv4').nullable()
      longText(table, 'ipv6').nullable()
      timestampColumn(table, 'last_change_at').nullable()
      // The latest refused request for the host.
      timestampColumn(table, 'refused_at').nullable()
      table.string('refused_address', 64).nullable()
      table.string('refused_agent', 255).nullable()
      table.integer('requests').notNullable()
      table.integer('changes').notNullable()
      // JSON: the times of the latest changes.
      longText(table, 'recent_changes').notNullable()
      table.index(['zone_id'], 'zw_dyndns_clients_zone')
    })
  }
}
