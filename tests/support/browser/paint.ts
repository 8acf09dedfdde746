import { gzipSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'

/** Fewer elements than these a page has. */
export const MAX_NODES = 2_000
/** Fewer bytes than these the first visit takes, compressed. */
export const MAX_FIRST_BYTES = 150_000

const QUIET_MS = 500
const MAX_WAIT_MS = 30_000

/** What a browser says of a page that it has drawn. */
export interface Paint {
  /** Milliseconds until the largest part of it was there (Largest Contentful Paint). */
  lcp: number
  /** How much of it moved while it came (Cumulative Layout Shift); 0 is nothing. */
  cls: number
  /** Milliseconds beyond 50 that tasks kept the page from answering (Total Blocking Time). */
  tbt: number
  /** Elements of the document. */
  nodes: number
}

/** Runs in pages before anything else: notes what is to be asked afterwards. */
const NOTE = `(() => {
  const noted = (window.__paint = { lcp: 0, cls: 0, tbt: 0 })
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => (noted.lcp = entry.startTime))
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) noted.cls += entry.value })
  watch('longtask', (entry) => (noted.tbt += Math.max(0, entry.duration - 50)))
})()`

/** Lets pages note how they are drawn. To be called before the first visit. */
export async function recordPaint(page: Page): Promise<void> {
  watchRequests(page)
  await page.addInitScript(NOTE)
}

/** Requests of pages that are on their way. */
const underWay = new WeakMap<Page, Set<Request>>()

/** Notes from here on what a page asks for, but for the stream of live updates, which never ends. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => {
    if (!isStream(request)) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Waits until a page that is watched has asked for nothing for half a second. */
export async function settled(page: Page): Promise<void> {
  const open = underWay.get(page)
  if (!open) throw new Error('The requests of this page are not watched.')
  await page.waitForLoadState('load')
  const until = performance.now() + MAX_WAIT_MS
  let quietSince = performance.now()
  while (performance.now() - quietSince < QUIET_MS) {
    if (open.size > 0) quietSince = performance.now()
    if (performance.now() > until) {
      throw new Error(`${[...open].map((request) => request.url()).join(', ')} did not end.`)
    }
    await page.waitForTimeout(20)
  }
}

function isStream(request: Request): boolean {
  return (
    request.resourceType() === 'eventsource' ||
    request.headers().accept?.includes('text/event-stream') === true
  )
}

/** Visits a page, and tells how it was drawn once it is quiet. */
export async function paintOf(page: Page, path: string): Promise<Paint> {
  await page.goto(path)
  await settled(page)
  const noted = await page.evaluate<Omit<Paint, 'nodes'>>('window.__paint')
  return { ...noted, nodes: await page.locator('*').count() }
}

/**
 * Counts from here on what a page loads, in bytes, compressed as proxies do. Of a browser without anything in store that is what
 * the first visit takes. To be asked once the page is quiet.
 */
export function countBytes(page: Page): () => Promise<number> {
  const reading: Promise<number>[] = []
  page.on('response', (response) => {
    if (isStream(response.request())) return
    const bytes = response.body().then((body) => gzipSync(body).length)
    // What leads elsewhere has no body.
    reading.push(bytes.catch(() => 0))
  })
  return async () => {
    const all = await Promise.all(reading)
    return all.reduce((sum, bytes) => sum + bytes, 0)
  }
}
