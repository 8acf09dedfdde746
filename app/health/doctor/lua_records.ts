import { ok, remark, type Finding } from '#health/doctor/finding'
import { luaReport } from '#health/lua_records'

/** Whether code of others than administrators may run on the name server. */
export async function luaRecords(): Promise<Finding[]> {
  const { isOn, zones, isMore } = await luaReport()
  const findings: Finding[] = []
  if (isOn) {
    findings.push(
      remark(
        'lua_records',
        'The name server runs LUA records of every zone (enable-lua-records), also those that a primary sends',
        'Set enable-lua-records=no in pdns.conf, and the metadata ENABLE-LUA-RECORDS=1 for zones that need it'
      )
    )
  }
  if (zones.length > 0) {
    findings.push(
      remark(
        'lua_records',
        `LUA records, which run code on the name server, are in zones that others than administrators own: ${zones.join(', ')}${isMore ? ' and more' : ''}`,
        'Look whether they are meant to be there; the history of the zone says who brought them'
      )
    )
  }
  return findings.length > 0
    ? findings
    : [ok('lua_records', 'No LUA records are in zones of others than administrators')]
}
