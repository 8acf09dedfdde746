import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { SilenceWatch } from '#database/silence'
import { eventually } from '#tests/support/eventually'

const SILENT_MS = 100

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

/** Starts a server that responds while it is not silent, and opens connections to it. */
async function scene(cleanup: (work: () => void) => void) {
  const state = { isSilent: false, probes: 0, probe: async (): Promise<void> => {} }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => state.isSilent || socket.write('answer'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup(() => void server.close())
  const watch = new SilenceWatch({
    silentMs: SILENT_MS,
    longestMs: 10 * SILENT_MS,
    async probe() {
      state.probes++
      await state.probe()
    },
    log: { error() {}, info() {} },
  })
  const open = async (): Promise<{ socket: Socket; error: () => string | undefined }> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let error: string | undefined
    socket.on('error', ({ message }) => (error = message))
    await new Promise<void>((resolve) => void socket.once('connect', resolve))
    watch.watch(socket)
    cleanup(() => void socket.destroy())
    return { socket, error: () => error }
  }
  return { state, watch, open }
}

/** Results of a probe, and whether the database then counts as silent. */
const ANSWERS: [what: string, probe: () => Promise<void>, isSilent: boolean][] = [
  ['an answer', async () => {}, false],
  ['a refusal of the account', () => Promise.reject(withCode('28P01')), false],
  ['too many connections', () => Promise.reject(withCode('53300')), false],
  ['MariaDB that refuses', () => Promise.reject(withCode('ER_CON_COUNT_ERROR')), false],
  ['a question that hangs', () => new Promise(() => {}), true],
  ['a connection that is not made in time', () => Promise.reject(withCode('ETIMEDOUT')), true],
  ['words of pg', () => Promise.reject(new Error('timeout expired')), true],
  [
    'words of pg-pool',
    () => Promise.reject(new Error('Connection terminated due to connection timeout')),
    true,
  ],
  ['no way there', () => Promise.reject(withCode('EHOSTUNREACH')), true],
  ['nobody at the port', () => Promise.reject(withCode('ECONNREFUSED')), true],
]

test.group('A database that stops answering', () => {
  for (const [what, probe, isSilent] of ANSWERS) {
    test(`${what} means ${isSilent ? 'silent' : 'responding'}`, async ({ assert, cleanup }) => {
      const { state, watch, open } = await scene(cleanup)
      const [waiting, idle] = [await open(), await open()]
      state.isSilent = true
      state.probe = probe
      waiting.socket.write('question')
      await eventually(() => assert.isAbove(state.probes, 0))
      if (isSilent) {
        await eventually(() => assert.isTrue(waiting.socket.destroyed && idle.socket.destroyed))
        assert.throws(() => watch.demandAnswers(), 'The database does not answer')
        assert.equal(waiting.error(), 'The database does not answer')
      } else {
        await wait(2 * SILENT_MS)
        assert.isFalse(waiting.socket.destroyed || idle.socket.destroyed)
        watch.demandAnswers()
      }
    })
  }

  test('the database counts as responding after its next answer', async ({ assert, cleanup }) => {
    const { state, watch, open } = await scene(cleanup)
    const { socket } = await open()
    state.isSilent = true
    state.probe = () => Promise.reject(withCode('ETIMEDOUT'))
    socket.write('question')
    await eventually(() => assert.isTrue(watch.isSilent))
    state.isSilent = false
    state.probe = async () => {}
    await eventually(() => assert.isFalse(watch.isSilent))
    watch.demandAnswers()
    const next = await open()
    next.socket.write('question')
    await wait(3 * SILENT_MS)
    assert.isFalse(next.socket.destroyed)
  })

  test('a caller that does not wait sends no query', async ({ assert, cleanup }) => {
    const { state, open } = await scene(cleanup)
    const { socket } = await open()
    socket.write('question')
    await wait(4 * SILENT_MS)
    assert.equal(state.probes, 0)
    assert.isFalse(socket.destroyed)
  })

  test('a single blocked connection is closed after the maximum time', async ({
    assert,
    cleanup,
  }) => {
    const { state, watch, open } = await scene(cleanup)
    const [forgotten, other] = [await open(), await open()]
    state.isSilent = true
    const start = Date.now()
    forgotten.socket.write('question')
    await eventually(() => assert.isTrue(forgotten.socket.destroyed))
    assert.isAtLeast(Date.now() - start, 9 * SILENT_MS)
    assert.match(forgotten.error() ?? '', /did not answer for 1 seconds/)
    assert.isFalse(other.socket.destroyed)
    assert.isFalse(watch.isSilent)
  })
})
