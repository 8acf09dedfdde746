/*
 * Measures pages of the web interface in a large installation: the built product as `npm start` runs it. HTTP
 * requests give the server's time, and Chromium gives the rendering time. Prints the results. Exits with an error if a goal is
 * missed (docs/performance.md).
 *
 *   npm run bench -- web [--db=sqlite|pg|mysql] [--zones=300000] [--zone=1000000] [--rounds=50] [--visits=3] [--no-build]
 *
 * --zones: number of zones with 10 records each. --zone: records of the large zone. --rounds: requests per page.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { build, indexTexts, Product } from './api/product.ts'
import { PASSWORD, type Scene } from './api/scene.ts'
import { startBenchServer } from './support/database.ts'
import { quantile } from './support/http.ts'
import { option, word } from './support/options.ts'
import { Worker } from './support/worker.ts'
import {
  countBytes,
  MAX_FIRST_BYTES,
  MAX_NODES,
  recordPaint,
  paintOf,
  settled,
  watchRequests,
  type Paint,
} from '#tests/support/browser/paint'
// @ts-expect-error -- plain JavaScript
import { locate } from '../scripts/components.mjs'

const MAX_TYPING_MS = 200
const MAX_P99_MS = 50

interface Cost extends Paint {
  name: string
  p50: number
  p99: number
}

/** Paths of the measured pages by name. */
function pagesOf({ last, large }: Scene, zones: number): Record<string, string> {
  const middle = Math.ceil(zones / 50 / 2)
  const zone = `/zones/${large.id}`
  return {
    'overview': '/',
    'zones': '/zones',
    'zones, middle page': `/zones?page=${middle}`,
    'zones by type': '/zones?sort=type',
    'zones by serial': '/zones?sort=serial',
    'zones by serial, middle page': `/zones?sort=serial&page=${middle}`,
    'zones by last change': '/zones?sort=changed:desc',
    'zones with a text': '/zones?q=berlin',
    'reverse zones': '/zones?tree=ipv4',
    'small zone': `/zones/${last}`,
    'large zone': zone,
    'large zone, middle page': `${zone}?page=${Math.ceil(large.records / 50 / 2)}`,
    'large zone by content': `${zone}?sort=content`,
    'large zone with a text': `${zone}?q=web9`,
    'history of the large zone': `${zone}/history`,
  }
}

/** Milliseconds of sequential requests over one connection. */
async function serverTimes(url: string, cookie: string, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds + 3; round++) {
    const since = performance.now()
    const answer = await fetch(url, { headers: { cookie, accept: 'text/html' } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - since)
  }
  // The first requests fill caches that all others use.
  return times.slice(3).sort((a, b) => a - b)
}

/** Milliseconds from a key press in a search field until the results are shown. */
async function typing(page: Page, path: string, shownIn: string, text: string): Promise<number[]> {
  const times: number[] = []
  await page.goto(path)
  // One letter is too short for suggestions.
  await page.locator('[data-find]').pressSequentially(text.slice(0, 1))
  await settled(page)
  for (const letter of text.slice(1)) {
    const shown = page.evaluate<number>(`new Promise((resolve) => {
      const since = performance.now()
      const watch = new MutationObserver(() => { watch.disconnect(); resolve(performance.now() - since) })
      setTimeout(resolve, 5_000, 5_000)
      watch.observe(document.querySelector(${JSON.stringify(shownIn)}), { childList: true, subtree: true })
    })`)
    await page.locator('[data-find]').pressSequentially(letter)
    times.push(await shown)
    await settled(page)
  }
  return times
}

/** Bytes that a browser with an empty cache loads for the first page. */
async function firstBytes(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage()
  watchRequests(page)
  const bytes = countBytes(page)
  await page.goto(path)
  await settled(page)
  const counted = await bytes()
  await page.close()
  return counted
}

async function measure(port: number, scene: Scene, zones: number): Promise<string[]> {
  const baseURL = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({
    executablePath: locate('chromium'),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const broken: string[] = []
  const promise = (isWithinLimit: boolean, text: string) => {
    if (!isWithinLimit) broken.push(text)
  }
  try {
    const stranger = await browser.newContext({ baseURL })
    const channel = await firstBytes(stranger, '/login')
    const context = await browser.newContext({ baseURL })
    const page = await context.newPage()
    await recordPaint(page)
    await page.goto('/login')
    await page.getByLabel('User name').fill(scene.administrator.username)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    const cookies = await context.cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

    const costs: Cost[] = []
    for (const [name, path] of Object.entries(pagesOf(scene, zones))) {
      const times = await serverTimes(baseURL + path, cookie, option('rounds', 50))
      let paint: Paint = { lcp: Infinity, cls: 0, tbt: 0, nodes: 0 }
      for (let visit = 0; visit < option('visits', 3); visit++) {
        const again = await paintOf(page, path)
        if (again.lcp < paint.lcp) paint = again
      }
      const cost = { name, p50: quantile(times, 0.5), p99: quantile(times, 0.99), ...paint }
      costs.push(cost)
      print(cost)
      promise(cost.nodes < MAX_NODES, `${name}: ${cost.nodes} nodes, promised ${MAX_NODES}`)
      promise(cost.p99 < MAX_P99_MS, `${name}: p99 ${cost.p99.toFixed(0)} ms, promised 50`)
    }
    const keys = {
      'the zone list suggests': await typing(page, '/zones', '[role=listbox]', 'berlin'),
      'a large zone narrows': await typing(
        page,
        `/zones/${scene.large.id}`,
        '[data-records]',
        'cache1'
      ),
    }
    for (const [name, times] of Object.entries(keys)) {
      const most = Math.max(...times)
      console.log(`${name}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms after a key`)
      promise(most < MAX_TYPING_MS, `${name}: ${most.toFixed(0)} ms, promised ${MAX_TYPING_MS}`)
    }
    const inside = await browser.newContext({ baseURL, storageState: await context.storageState() })
    const first = { 'sign-in': channel, 'zones': await firstBytes(inside, '/zones') }
    for (const [name, bytes] of Object.entries(first)) {
      console.log(`${name}, first visit: ${(bytes / 1000).toFixed(0)} kB compressed`)
      promise(bytes < MAX_FIRST_BYTES, `${name}: ${bytes} bytes, promised ${MAX_FIRST_BYTES}`)
    }
  } finally {
    await browser.close()
  }
  return broken
}

function print({ name, p50, p99, lcp, cls, tbt, nodes }: Cost): void {
  const server = `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`.padStart(18)
  const drawn = `LCP ${lcp.toFixed(0)} ms, CLS ${cls.toFixed(3)}, TBT ${tbt.toFixed(0)} ms`
  console.log(`${name.padEnd(28)}${server}   ${drawn}, ${nodes} nodes`)
}

async function run(): Promise<string[]> {
  if (!process.argv.includes('--no-build')) build()
  const zones = option('zones', 300_000)
  const home = mkdtempSync(join(tmpdir(), 'zonewright-web-'))
  const server = await startBenchServer(process.argv)
  let product: Product | undefined
  try {
    const variables = {
      ...server.createDatabase('zonewright_web'),
      APP_KEY: randomBytes(16).toString('hex'),
      HEALTH_ENABLED: 'true',
      HEALTH_PING_ENABLED: 'true',
      DYNDNS_MAX_TOKENS_PER_USER: '10000',
    }
    const file = fileURLToPath(new URL('api/scene.ts', import.meta.url))
    const seeder = await Worker.start(file, variables)
    const size = { zones, records: 10, large: option('zone', 1_000_000) }
    const scene = await seeder.ask<Scene>('fill', size)
    await seeder.stop()
    indexTexts(variables)
    product = await Product.start(variables, join(home, 'log'))
    console.log(
      `${word('db', 'sqlite')}, ${zones} zones, one of ${size.large} records, filled in ${scene.seconds.toFixed(0)} s; ` +
        `${cpus().length} processors, Node.js ${process.versions.node}\n`
    )
    return await measure(product.port, scene, zones)
  } finally {
    await product?.stop()
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

const broken = await run()
console.log(broken.length === 0 ? '\nAll promises are kept.' : `\nNot kept:\n${broken.join('\n')}`)
process.exit(broken.length === 0 ? 0 : 1)
