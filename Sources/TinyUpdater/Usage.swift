internal import Platform

/// What the program says about itself.
enum Usage {
  static var options: [Arguments.Option] {
    [
      .init("config", "c", takesValue: true), .init("root", takesValue: true),
      .init("repository", takesValue: true), .init("json", "j"), .init("quiet", "q"),
      .init("verbose", "v"), .init("no-wait"), .init("tree"), .init("composite"),
      .init("depth", takesValue: true), .init("installed"), .init("updates"), .init("lang", takesValue: true),
      .init("help", "h"), .init("version"),
    ]
  }

  static var text: String {
    """
    usage: tinyupdater [OPTION…] COMMAND [ID…]

    Keeps every map on this device at one version.

    commands
      check            ask the repository for a newer release; exit 10 if there is one
      plan [ID…]       show what apply (or install ID…) would download and need
      apply [ID…]      bring every installed map to the newest release; with ids, before other updates
      install ID…      install packages, or all packages of a region
      uninstall ID…    remove them
      list [ID…]       show packages: what is installed and what can be; with --tree or --composite their regions too
      at LAT LON       show the smallest package that contains a place, such as 35.9 14.4
      groups           show the data groups; groups select NAME… or groups deselect NAME… changes what is installed
      status           show the installed release and the last run
      history [N]      show the last N runs: what the plan said, and what happened
      cancel [ID…]     cancel what is queued or running, for these packages and regions or as a whole
      watch            the whole state, then what happens, as JSON lines, until interrupted
      rollback         go back to the generation before
      confirm          give up the way back and delete the generation before
      boot             make the maps ready after a start: finish, adopt or rebuild; then look for news
      verify           read every installed map and compare its digest
      patch            apply a bare patch: see tinyupdater patch --help
      tuf              the bare client for any TUF repository: see tinyupdater tuf --help

    options
      -c, --config FILE     the configuration (default /etc/tinyupdater.conf, if it exists)
          --root DIR        where the maps are kept (default /var/lib/tinyupdater)
          --repository URL  where releases come from: https://, http:// or file://
      -j, --json            one JSON object per line instead of text
      -q, --quiet           only errors
      -v, --verbose         more about what happens
          --no-wait         leave when another process is at work: it carries the operation out
          --tree            list: the regions and what is in them
          --composite       list: the tree without the smallest parts; every node can be operated on
          --depth N         list: only so many levels of the tree
          --installed       list: only what is installed
          --updates         list: only what has an update
          --lang LANGUAGE   list, at: names in this language (default: that of the environment)
      -h, --help            this text
          --version         the version

    Exit: 0 done or nothing to do, 10 update available (check), 11 application too old, 20 no connection, 21 rejected,
    22 no space, 23 over the memory budget, 24 storage error, 25 busy, 26 cancelled, 64 usage,
    78 configuration or store unusable. See tinyupdater(8).

    """
  }
}
