import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Checks each chunk of one direction. True ends all connections instead of forwarding the chunk. */
export type Cut = (chunk: Buffer) => boolean

/** To the database, or from the database. */
type Way = 'up' | 'down'

/** One connection through the proxy. */
interface Passage {
  near: Socket
  far: Socket
  /** Accepts data and forwards nothing. */
  isSilent: boolean
}

/** A TCP proxy on 127.0.0.1 that can drop its connections. */
export class TcpProxy {
  readonly #passages = new Set<Passage>()
  readonly #cuts = new Map<Way, Cut>()
  #isSilent = false

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
    readonly port: number
  ) {
    server.on('connection', (socket) => this.#accept(socket))
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new TcpProxy(server, target, (server.address() as AddressInfo).port)
  }

  #accept(near: Socket): void {
    const far = connect(this.target)
    const passage = { near, far, isSilent: this.#isSilent }
    this.#passages.add(passage)
    const end = () => {
      this.#passages.delete(passage)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      socket.on('error', end)
      socket.on('close', end)
    }
    near.on('data', (piece) => this.#pass(piece, passage, 'up'))
    far.on('data', (piece) => this.#pass(piece, passage, 'down'))
  }

  #pass(chunk: Buffer, { near, far, isSilent }: Passage, way: Way): void {
    if (isSilent) {
      return
    }
    if (this.#cuts.get(way)?.(chunk)) {
      this.cut()
    } else {
      const to = way === 'up' ? far : near
      to.write(chunk)
    }
  }

  /** Ends all connections at once. */
  cut(): void {
    this.#cuts.clear()
    for (const passage of this.#passages) {
      this.#passages.delete(passage)
      passage.near.resetAndDestroy()
      passage.far.resetAndDestroy()
    }
  }

  /** Ends all connections once, at the first chunk of this direction for which `cut` returns true. */
  cutWhen(cut: Cut, way: Way = 'up'): void {
    this.#cuts.set(way, cut)
  }

  /** Counts the bytes of this direction from now on. Returns the function that returns the count. */
  count(way: Way): () => number {
    let bytes = 0
    this.cutWhen((chunk) => {
      bytes += chunk.length
      return false
    }, way)
    return () => bytes
  }

  /** Ends all connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    this.cut()
    await closed
  }

  /** Accepts connections and drops all data in both directions. Dropped data are not sent again. */
  silence(): void {
    this.#isSilent = true
    this.#passages.forEach((passage) => (passage.isSilent = true))
  }

  /** Forwards new connections again. Silent connections end now, or stay silent until they are closed. */
  async restore(silent: 'end' | 'stay' = 'end'): Promise<void> {
    this.#isSilent = false
    if (silent === 'end') {
      this.cut()
    }
    if (!this.server.listening) {
      await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve))
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    this.cut()
    await closed
  }
}

/** Returns a cut at the byte with this number. */
export function afterBytes(limit: number): Cut {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    return bytes > limit
  }
}
