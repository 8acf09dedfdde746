import type { PowerDns } from '#tests/support/powerdns'
import { runProgram } from '#tests/support/programs'

/** A zone as `dig axfr` writes it to a zone file, with the options given. */
export function transferOf(server: PowerDns, zone: string, ...options: string[]): Promise<string> {
  return runProgram('dig', [
    ...['-r', '@127.0.0.1', '-p', String(server.port), '-q', `${zone}.`, '-t', 'AXFR'],
    ...['+time=10', ...options],
  ])
}
