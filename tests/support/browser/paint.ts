import { gzipSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'

/** Upper bound of the elements of a page. */
export const MAX_NODES = 2_000
/** Upper bound of the compressed bytes of a first visit. */
export const MAX_FIRST_BYTES = 150_000

const QUIET_MS = 500
const MAX_WAIT_MS = 30_000

/** Measurements of a browser for a rendered page. */
export interface Paint {
  /** Milliseconds until the largest element was rendered (Largest Contentful Paint). */
  lcp: number
  /** Layout shift while the page loaded (Cumulative Layout Shift). 0 means none. */
  cls: number
  /** Milliseconds above 50 of each long task (Total Blocking Time). */
  tbt: number
  /** Elements of the document. */
  nodes: number
}

/** Runs in pages before any other script: records the measurements. */
const NOTE = `(() => {
  const noted = (window.__paint = { lcp: 0, cls: 0, tbt: 0 })
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => (noted.lcp = entry.startTime))
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) noted.cls += entry.value })
  watch('longtask', (entry) => (noted.tbt += Math.max(0, entry.duration - 50)))
})()`

/** Records how pages are rendered. Must be called before the first visit. */
export async function recordPaint(page: Page): Promise<void> {
  watchRequests(page)
  await page.addInitScript(NOTE)
}

/** Pending requests of pages. */
const underWay = new WeakMap<Page, Set<Request>>()

/** Records the requests of a page from now on, except the endless stream of live updates. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => {
    if (!isStream(request)) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Waits until a watched page has had no pending request for half a second. */
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

/** Visits a page and returns its measurements after all requests have ended. */
export async function paintOf(page: Page, path: string): Promise<Paint> {
  await page.goto(path)
  await settled(page)
  const measured = await page.evaluate<Omit<Paint, 'nodes'>>('window.__paint')
  return { ...measured, nodes: await page.locator('*').count() }
}

/**
 * Counts the bytes that a page loads from now on, compressed as by a proxy. With an empty browser cache, this is the cost of
 * the first visit. The returned function must be called after all requests have ended.
 */
export function countBytes(page: Page): () => Promise<number> {
  const reading: Promise<number>[] = []
  page.on('response', (response) => {
    if (isStream(response.request())) return
    const bytes = response.body().then((body) => gzipSync(body).length)
    // A redirect has no body.
    reading.push(bytes.catch(() => 0))
  })
  return async () => {
    const all = await Promise.all(reading)
    return all.reduce((sum, bytes) => sum + bytes, 0)
  }
}
