import { run } from './shell.mjs'

/** The commit that a branch is compared with: where it left `origin/main`, or `main` in a clone without a remote. */
function baseOf(root) {
  for (const branch of ['origin/main', 'main']) {
    try {
      return run('git', ['merge-base', 'HEAD', branch], { cwd: root }).trim()
    } catch {
      // The branch does not exist here.
    }
  }
  return 'HEAD'
}

/** Paths that differ from main: commits of this branch, changes not committed, and new files. */
export function changedFiles(root) {
  const options = { cwd: root }
  const changed = run('git', ['diff', '--name-only', '--diff-filter=d', baseOf(root)], options)
  const untracked = run('git', ['ls-files', '--others', '--exclude-standard'], options)
  return [...new Set(`${changed}${untracked}`.split('\n').filter(Boolean))]
}
