import { lua } from '#dns/records/lua'
import { naptr } from '#dns/records/naptr'
import type { RecordType } from '#dns/records/record_type'
import { https, svcb } from '#dns/records/svcb'
import { uri } from '#dns/records/uri'

export const serviceTypes: RecordType[] = [https, lua, naptr, svcb, uri]
