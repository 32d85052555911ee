/** The browser of the end-to-end tests, with a font for Chinese. `PLINTH_CHROMIUM` names one of your own. */
import { existsSync } from 'node:fs';
import { aptInstall, mayUseApt } from './apt.mjs';
import { findProgram } from './find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHINESE_FONTS = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';

/** Returns the path of an executable, or `{ missing: reason }`. */
export async function ensureChromium({ log = () => {} } = {}) {
  const own = process.env.PLINTH_CHROMIUM;
  if (own) return existsSync(own) ? own : { missing: `PLINTH_CHROMIUM names ${own}, which does not exist` };

  const packages = wantedPackages();
  if (packages.length > 0 && mayUseApt()) {
    log(`Installing the Debian packages ${packages.join(' and ')} for the browser tests`);
    const { ok, output } = await aptInstall(packages);
    if (!ok) log(`They could not be installed:\n${output}`);
  }
  return (
    findProgram(NAMES) ?? {
      missing:
        'no Chromium found; install it (Debian: apt install chromium fonts-noto-cjk) or set PLINTH_CHROMIUM',
    }
  );
}

function wantedPackages() {
  const browser = findProgram(NAMES) ? [] : ['chromium'];
  const fonts = mayUseApt() && !existsSync(CHINESE_FONTS) ? ['fonts-noto-cjk'] : [];
  return [...browser, ...fonts];
}
