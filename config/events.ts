import { defineSettings, setting } from '#settings/define'

export default defineSettings('events', {
  max_streams: setting.integer(
    100,
    { min: 0, max: 100_000, unit: 'connections' },
    'Maximum number of event streams of one process. Streams of open pages have a separate limit of the same size.'
  ),
  max_streams_per_user: setting.integer(
    10,
    { min: 0, max: 100_000, unit: 'connections' },
    'Maximum number of event streams of one user, with any keys. Streams of pages have a separate limit of the same size.'
  ),
  heartbeat_seconds: setting.integer(
    15,
    { min: 1, max: 300, unit: 'seconds' },
    'Interval of heartbeats in event streams without events. Permissions are checked at the same interval: a stream of a revoked key ends.'
  ),
})
