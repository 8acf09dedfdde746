import { fileURLToPath } from 'node:url'
import type { BareAnswer } from '../support/bare.ts'
import type { Variables } from '../support/database.ts'
import type { Request } from '../support/load.ts'
import { Worker } from '../support/worker.ts'
import { headersOf, type Cell, type Setting } from './cell.ts'
import { PASSWORD } from './scene.ts'

/** The bare HTTP server for comparison: `support/bare.ts` in as many processes as the product has. */
export class BareHttp {
  private constructor(
    readonly ports: number[],
    private readonly workers: Worker[]
  ) {}

  /** @param answers the statements of each requested path */
  static async start(
    variables: Variables,
    answers: Record<string, BareAnswer>,
    processes: number
  ): Promise<BareHttp> {
    const file = fileURLToPath(new URL('../support/bare.ts', import.meta.url))
    const ports: number[] = []
    const workers: Worker[] = []
    for (let i = 0; i < processes; i++) {
      const worker = await Worker.start(file, { ...variables, NODE_ENV: 'production' })
      workers.push(worker)
      ports.push(Number(new URL(await worker.ask<string>('serve', answers)).port))
    }
    return new BareHttp(ports, workers)
  }

  async stop(): Promise<void> {
    for (const worker of this.workers) await worker.stop()
  }
}

/** All requests of the cells that are also measured on the bare server. */
export async function comparedRequests(cells: Cell[], { scene }: Setting): Promise<Request[]> {
  const requests: Request[] = []
  for (const cell of cells.filter(({ bareHttp }) => bareHttp)) {
    const headers = headersOf(cell.as ?? 'administrator', scene, PASSWORD)
    const values = (await cell.values?.()) ?? {}
    const times = Math.max(1, ...Object.values(values).map((list) => list.length))
    for (let n = 0; n < times; n++) {
      const path = cell.path.replace(/\{(\w+)\}/g, (_, name: string) => {
        return String(values[name][n % values[name].length])
      })
      requests.push({ path, headers, status: cell.status ?? 200 })
    }
  }
  return requests
}
