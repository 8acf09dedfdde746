import { defineSettings, setting } from '#settings/define'

export default defineSettings('events', {
  max_streams: setting.integer(
    100,
    { min: 0, max: 100_000, unit: 'connections' },
    'How many streams of events one process serves at once. Those of open pages are counted apart, up to as many.'
  ),
  max_streams_per_user: setting.integer(
    10,
    { min: 0, max: 100_000, unit: 'connections' },
    'How many of them one user has, by whatever keys; and as many of pages.'
  ),
  heartbeat_seconds: setting.integer(
    15,
    { min: 1, max: 300, unit: 'seconds' },
    'After so long without an event a stream gives a sign of life. As often its caller is asked for anew: a key that was revoked gets no more.'
  ),
})
