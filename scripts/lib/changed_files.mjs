import { run } from './shell.mjs'

/** The commit that a branch is compared with: the merge base with `origin/main`, or with `main` in a clone without a remote. */
function baseOf(root) {
  for (const branch of ['origin/main', 'main']) {
    try {
      return run('git', ['merge-base', 'HEAD', branch], { cwd: root }).trim()
    } catch {
      // This branch does not exist: try the next one.
    }
  }
  return 'HEAD'
}

/** Paths that differ from main: committed, uncommitted and untracked files. */
export function changedFiles(root) {
  const options = { cwd: root }
  const changed = run('git', ['diff', '--name-only', '--diff-filter=d', baseOf(root)], options)
  const untracked = run('git', ['ls-files', '--others', '--exclude-standard'], options)
  return [...new Set(`${changed}${untracked}`.split('\n').filter(Boolean))]
}
