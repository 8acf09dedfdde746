import { ok, remark, type Finding } from '#health/doctor/finding'
import { luaReport } from '#health/lua_records'

/** Checks whether code of users without administrator rights may run on the name server. */
export async function luaRecords(): Promise<Finding[]> {
  const { isOn, zones, isMore } = await luaReport()
  const findings: Finding[] = []
  if (isOn) {
    findings.push(
      remark(
        'lua_records',
        'The name server runs LUA records of every zone (enable-lua-records), including records from a primary',
        'Set enable-lua-records=no in pdns.conf, and the metadata ENABLE-LUA-RECORDS=1 for zones that need it'
      )
    )
  }
  if (zones.length > 0) {
    findings.push(
      remark(
        'lua_records',
        `Zones of users who are not administrators have LUA records, which run code on the name server: ${zones.join(', ')}${isMore ? ' and more' : ''}`,
        'Check whether these records are intended; the history of the zone shows who created them'
      )
    )
  }
  return findings.length > 0
    ? findings
    : [ok('lua_records', 'Zones of users who are not administrators have no LUA records')]
}
