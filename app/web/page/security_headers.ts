import { randomBytes } from 'node:crypto'
import type { HttpResponse } from '@adonisjs/core/http'
import { isHttps } from '#support/cookies'

/** Directives of a Content Security Policy (CSP 3) by their names. */
export type Policy = Readonly<Record<string, string>>

/** Base of all policies: nothing is loaded, embedded or sent. */
const DEFAULT_POLICY: Policy = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

const ONE_YEAR_SECONDS = 31_536_000

/** The policy of pages of the web interface: only scripts and styles with the nonce of the response are allowed. */
export function interfacePolicy(nonce: string): Policy {
  return {
    ...DEFAULT_POLICY,
    'script-src': `'nonce-${nonce}'`,
    'style-src': `'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'form-action': "'self'",
    'manifest-src': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'zonewright',
  }
}

/** The policy of a page whose scripts and styles are files of this origin. */
export function filesPolicy(): Policy {
  return {
    ...DEFAULT_POLICY,
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
  }
}

/** A nonce for one answer. */
export function newNonce(): string {
  return randomBytes(18).toString('base64')
}

/** The headers of every page that browsers show, whichever channel it belongs to. */
export function securePage(response: HttpResponse, policy: Policy): void {
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`)
  response.header('Content-Security-Policy', directives.join('; '))
  response.header('X-Content-Type-Options', 'nosniff')
  response.header('X-Frame-Options', 'DENY')
  // Without a value, browsers omit the origin of forms, which identifies those of this site.
  response.header('Referrer-Policy', 'same-origin')
  response.header('Cross-Origin-Opener-Policy', 'same-origin')
  response.header('Cross-Origin-Resource-Policy', 'same-origin')
  response.header(
    'Permissions-Policy',
    'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
  )
  if (isHttps) {
    response.header('Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`)
  }
}
