import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { homePath } from '#support/home'
import { testFolder } from '#tests/support/app/server'

const MAX_BYTES = 256 * 1024 * 1024

/** Returns the tag of the last release; null without a tag or without a git repository. */
export function lastReleasedTag(): string | null {
  try {
    const words = ['tag', '--list', 'v*', '--sort=-version:refname', '--merged=HEAD']
    const [tag] = git(words).toString().split('\n')
    return tag || null
  } catch {
    return null
  }
}

/**
 * Extracts the migrations of a tag and their imported helpers into a temporary folder. Returns the folder of the migrations.
 */
export function migrationsOf(tag: string): string {
  const folder = testFolder('released')
  const archive = git(['archive', '--format=tar', tag, 'package.json', 'tsconfig.json', 'database'])
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(homePath('node_modules'), join(folder, 'node_modules'))
  return join(folder, 'database/migrations')
}

function git(words: string[]): Buffer {
  return execFileSync('git', words, {
    cwd: homePath('.'),
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
