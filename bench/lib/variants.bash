# shellcheck shell=bash
# Sourced by bench/variants.sh: the kinds of variants. Needs its functions, and `root`, `corpus`, `release`, `before`, `work`.

# kind, what the old file is, what the new one is (bench/lib/variant-features.py); `next-…` go to the next release.
feature_kinds() {
    cat <<'TABLE'
order               unindexed  unindexed,shuffle
order-west          unindexed  unindexed,west
index               unindexed  plain
start               plain      start
direction           plain      reverse
start-direction     plain      start,reverse
mercator            plain      mercator
equal-area          plain      equal-area
radians             plain      radians
direction-mercator  plain      reverse,mercator
rounded-7           plain      rounded-7
rounded-5           plain      rounded-5
float32             plain      float32
scaled              rounded-7  scaled
shifted             plain      shift
simplified          plain      simplify
refined             simplify   plain
next-order          unindexed  unindexed,shuffle
next-start          plain      start
next-direction      plain      reverse
next-mercator       plain      mercator
next-simplified     plain      simplify
TABLE
}

# has PROGRAM…: whether they are here; says once that one is not.
missing=
has() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null && continue
        [[ $missing == *" $program "* ]] || say "$program is missing: its kinds are left out"
        missing+=" $program "
        return 1
    done
}

# A Python that has GDAL's modules: Debian's has them where another one precedes it in PATH.
python_with_gdal() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy, osgeo.ogr' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
}

# features OPERATIONS SOURCE TARGET: makes the target unless it was made before.
features() {
    [ -e "$3" ] || "$gdal_python" "$root/bench/lib/variant-features.py" "$1" "$2" "$3" || { rm -f "$3"; return 1; }
}

feature_variants() {
    local file=$1 made=$2 kind old new source
    local extension=${file##*.}
    while read -r kind old new; do
        wants "$kind" || continue
        source=$corpus/$release/$file
        if [[ $kind == next-* ]]; then
            source=$corpus/$before/$file
            [ -n "$before" ] && [ -e "$source" ] || continue
            old=before-$old
        fi
        attempt features "${old#before-}" "$source" "$made/$old.$extension" &&
            attempt features "$new" "$corpus/$release/$file" "$made/$new.$extension" &&
            put "$kind" "$file" "$made/$old.$extension" "$made/$new.$extension"
    done < <(feature_kinds)
    return 0
}

# sql SOURCE TARGET STATEMENTS: a copy of a database after these statements.
sql() {
    cp "$1" "$2" && sqlite3 -bail "$2" "$3" >/dev/null
}

# virtual_tables DATABASE MODULE: names of its tables of a module, such as rtree.
virtual_tables() {
    sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING $2%' ORDER BY name"
}

# statements KIND DATABASE: what is done to a database; nothing where the kind does not fit it.
statements() {
    local name
    case $1 in
    vacuum) echo 'VACUUM;' ;;
    page-size-*) echo "PRAGMA page_size = ${1##*-}; VACUUM;" ;;
    reindex) echo 'REINDEX;' ;;
    rtree)
        virtual_tables "$2" rtree | while read -r name; do
            echo "CREATE TEMP TABLE box AS SELECT * FROM \"$name\"; DELETE FROM \"$name\";
                INSERT INTO \"$name\" SELECT * FROM box ORDER BY 2, 4, 1; DROP TABLE box;"
        done
        ;;
    fts)
        virtual_tables "$2" fts5 | while read -r name; do echo "INSERT INTO \"$name\" (\"$name\") VALUES ('rebuild');"; done
        ;;
    esac
}

database_variants() {
    local file=$1 made=$2 kind what source=$corpus/$release/$1
    for kind in vacuum page-size-1024 page-size-8192 reindex rtree fts; do
        wants "$kind" || continue
        what=$(statements "$kind" "$source")
        [ -n "$what" ] && attempt sql "$source" "$made/$kind" "$what" && put "$kind" "$file" "$source" "$made/$kind"
    done
    return 0
}

# Rows deleted and inserted again, so that they get new ids: each tenth and all; and the file compacted after the former.
row_variants() {
    local file=$1 made=$2 source=$corpus/$release/$1 what part extension=${1##*.}
    wants rows || return 0
    for part in tenth anew; do
        if [ "$extension" = gpkg ]; then
            attempt features "$part" "$source" "$made/$part.gpkg" || continue
        else
            what=$(row_statements "$part" "$source")
            [ -n "$what" ] && attempt sql "$source" "$made/$part.$extension" "$what" || continue
        fi
        put "rows-$part" "$file" "$source" "$made/$part.$extension"
    done
    [ -e "$made/tenth.$extension" ] && attempt sql "$made/tenth.$extension" "$made/vacuum" 'VACUUM;' &&
        put rows-vacuum "$file" "$made/tenth.$extension" "$made/vacuum"
    return 0
}

# row_statements PART DATABASE: for the tables of MBTiles, whose rows nothing refers to by id.
row_statements() {
    local name condition=true
    [ "$1" = anew ] || condition='rowid % 10 = 0'
    sqlite3 "$2" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('tiles', 'map', 'images') ORDER BY name" |
        while read -r name; do
            echo "CREATE TEMP TABLE again AS SELECT * FROM $name WHERE $condition; CREATE TEMP TABLE last AS SELECT max(rowid) AS id FROM $name;
                DELETE FROM $name WHERE $condition;
                INSERT INTO $name (rowid, $(columns "$2" "$name")) SELECT (SELECT id FROM last) + rowid, * FROM again ORDER BY rowid;
                DROP TABLE again; DROP TABLE last;"
        done
}

columns() { sqlite3 "$1" "SELECT group_concat(name) FROM pragma_table_info('$2')"; }

# deflate COMMAND…: bench/lib/variant-deflate.py with the encoders of PyPI.
deflate() { "$deflate_python" "$root/bench/lib/variant-deflate.py" "$@"; }

tile_variants() {
    local file=$1 made=$2 new=$corpus/$release/$1 old=$corpus/$before/$1 name
    for name in "${encoders[@]}"; do
        wants "recompressed-$name" || wants "next-tiles-$name" || wants "next-pmtiles-$name" || continue
        attempt deflate tiles "$name" "$new" "$made/new.$name" || continue
        put "recompressed-$name" "$file" "$new" "$made/new.$name"
        [ -n "$before" ] && [ -e "$old" ] && attempt deflate tiles "$name" "$old" "$made/old.$name" || continue
        put "next-tiles-$name" "$file" "$made/old.$name" "$made/new.$name"
        ! wants "next-pmtiles-$name" || [ -z "$has_pmtiles" ] ||
            { attempt deflate pmtiles "$made/old.$name" "$made/old.$name.pmtiles" &&
                attempt deflate pmtiles "$made/new.$name" "$made/new.$name.pmtiles" &&
                put "next-pmtiles-$name" "${file%.*}.pmtiles" "$made/old.$name.pmtiles" "$made/new.$name.pmtiles"; }
    done
    return 0
}

# Whole files as one gzip stream.
gzip_variants() {
    local file=$1 made=$2 new=$corpus/$release/$1 old=$corpus/$before/$1 name
    [ -n "$before" ] && [ -e "$old" ] || return 0
    for name in "${encoders[@]}"; do
        wants "next-gzip-$name" && attempt deflate gzip "$name" "$old" "$made/old.$name" &&
            attempt deflate gzip "$name" "$new" "$made/new.$name" &&
            put "next-gzip-$name" "$file.gz" "$made/old.$name" "$made/new.$name"
    done
    return 0
}

# pack TOOL TARGET DIR: a zip file of the files in a directory, with fixed times.
pack() {
    local target=$2
    find "$3" -type f -exec touch -d 2024-01-01T00:00:00Z {} +
    rm -f "$target"
    case $1 in
    zip-*) (cd "$3" && find . -type f -printf '%P\n' | sort | zip -q -X -D "-${1#zip-}" "$target" -@) ;;
    7zip-*) (cd "$3" && 7z a -tzip "-mx=${1#7zip-}" -mmt=1 -mtc- -mta- "$target" .) ;;
    advzip-*) pack zip-9 "$target" "$3" && advzip -q -z "-${1#advzip-}" "$target" ;;
    esac
}

# as FORMAT SOURCE DIR: features in a format of GDAL that is several files, or one; nothing where they are large.
as() {
    mkdir "$3"
    case $1 in
    shapefile) ogr2ogr -q -f 'ESRI Shapefile' "$3" "$2" -lco DBF_DATE_LAST_UPDATE=2024-01-01 -lco ENCODING=UTF-8 || return 1 ;;
    kmz) ogr2ogr -q -f KML "$3/doc.kml" "$2" || return 1 ;;
    esac
    # Limits what is in a small archive, too.
    [ "$(du -sb "$3" | cut -f 1)" -le $((4 * ${LARGEST:-8388608})) ] || rm -r "$3"
}

archive_variants() {
    local file=$1 made=$2 format tool extension
    [ -n "$before" ] && [ -e "$corpus/$before/$file" ] || return 0
    for format in shapefile kmz; do
        wants "next-$format" || continue
        attempt as "$format" "$corpus/$before/$file" "$made/old-$format" && attempt as "$format" "$corpus/$release/$file" "$made/new-$format" || continue
        [ -e "$made/old-$format" ] && [ -e "$made/new-$format" ] || continue
        extension=kmz
        [ "$format" = kmz ] || extension=zip
        for tool in "${packers[@]}"; do
            attempt pack "$tool" "$made/old.$tool.zip" "$made/old-$format" && attempt pack "$tool" "$made/new.$tool.zip" "$made/new-$format" &&
                put "next-$format-$tool" "${file%.*}.$extension" "$made/old.$tool.zip" "$made/new.$tool.zip"
        done
    done
    return 0
}

# Zip files that are there, packed by another tool.
zip_variants() {
    local file=$1 made=$2 tool
    wants rezipped && attempt unzip -q "$corpus/$release/$file" -d "$made/files" || return 0
    for tool in "${packers[@]}"; do
        attempt pack "$tool" "$made/$tool.zip" "$made/files" && put "rezipped-$tool" "$file" "$corpus/$release/$file" "$made/$tool.zip"
    done
    return 0
}

# kind, options of osmium: for the new file, and with `next-` for both releases. Others go from `pbf`.
osm_kinds() {
    cat <<'TABLE'
pbf-written      pbf
pbf-raw          pbf,pbf_compression=none
pbf-lz4          pbf,pbf_compression=lz4
pbf-level-9      pbf,pbf_compression_level=9
pbf-sparse       pbf,pbf_dense_nodes=false
pbf-bare         pbf,add_metadata=false
next-pbf         pbf
next-pbf-raw     pbf,pbf_compression=none
next-pbf-lz4     pbf,pbf_compression=lz4
next-pbf-level-9 pbf,pbf_compression_level=9
next-pbf-sparse  pbf,pbf_dense_nodes=false
TABLE
}

# osmium_cat FORMAT SOURCE TARGET
osmium_cat() { osmium cat --no-progress -O -F pbf -f "$1" -o "$3" "$2"; }

osm_variants() {
    local file=$1 made=$2 kind options new=$corpus/$release/$1 old=$corpus/$before/$1
    attempt osmium_cat pbf "$new" "$made/pbf" || return 0
    while read -r kind options; do
        wants "$kind" && attempt osmium_cat "$options" "$new" "$made/new" || continue
        case $kind in
        next-*) [ -n "$before" ] && [ -e "$old" ] && attempt osmium_cat "$options" "$old" "$made/old" || continue ;;
        pbf-written) cp "$new" "$made/old" ;;
        *) cp "$made/pbf" "$made/old" ;;
        esac
        put "$kind" "$file" "$made/old" "$made/new"
        rm -f "$made/old" "$made/new"
    done < <(osm_kinds)
    wants pbf-renumbered && attempt osmium renumber --no-progress -O -F pbf -f pbf -o "$made/new" "$new" &&
        put pbf-renumbered "$file" "$made/pbf" "$made/new"
    return 0
}

# kind, options of gdal_translate: from release to release.
raster_kinds() {
    cat <<'TABLE'
next-tiff-none       GTiff TILED=YES
next-tiff-deflate    GTiff TILED=YES COMPRESS=DEFLATE
next-tiff-deflate-9  GTiff TILED=YES COMPRESS=DEFLATE ZLEVEL=9 PREDICTOR=2
next-tiff-strips     GTiff COMPRESS=DEFLATE ZLEVEL=6
next-tiff-lzw        GTiff TILED=YES COMPRESS=LZW PREDICTOR=2
next-tiff-packbits   GTiff TILED=YES COMPRESS=PACKBITS
next-tiff-zstd       GTiff TILED=YES COMPRESS=ZSTD PREDICTOR=2
next-tiff-lzma       GTiff TILED=YES COMPRESS=LZMA
next-tiff-lerc       GTiff TILED=YES COMPRESS=LERC_DEFLATE
next-tiff-cog        COG COMPRESS=DEFLATE
TABLE
}

# translate SOURCE TARGET FORMAT OPTION…
translate() {
    local source=$1 target=$2 format=$3 words=() word
    shift 3
    for word in "$@"; do words+=(-co "$word"); done
    gdal_translate -q -of "$format" "${words[@]}" "$source" "$target"
}

raster_variants() {
    local file=$1 made=$2 kind options new=$corpus/$release/$1 old=$corpus/$before/$1
    wants tiff-deflate-9 && attempt translate "$new" "$made/9.tif" GTiff TILED=YES COMPRESS=DEFLATE ZLEVEL=9 PREDICTOR=2 &&
        put tiff-deflate-9 "$file" "$new" "$made/9.tif"
    while read -r kind options; do
        read -ra options <<<"$options"
        wants "$kind" && attempt translate "$new" "$made/new.$kind.tif" "${options[@]}" || continue
        [ -n "$before" ] && [ -e "$old" ] && attempt translate "$old" "$made/old.$kind.tif" "${options[@]}" || continue
        put "$kind" "$file" "$made/old.$kind.tif" "$made/new.$kind.tif"
    done < <(raster_kinds)
    return 0
}

# install_encoders: a python3 with the encoders of PyPI, from the cache or PyPI; python3 alone where neither has them.
install_encoders() {
    local requirements=$root/bench/lib/variants-requirements.txt venv
    venv=${TINYUPDATER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tinyupdater}/variants-$(sha256sum "$requirements" | cut -c 1-12)
    if [ ! -e "$venv/complete" ]; then
        rm -rf "$venv"
        python3 -m venv "$venv" >&2 &&
            "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements" >&2 &&
            touch "$venv/complete" || { command -v python3; return; }
    fi
    echo "$venv/bin/python"
}

all_variants() {
    gdal_python=$(python_with_gdal)
    if [ -n "$gdal_python" ]; then
        each gpkg fgb -- feature_variants
        ! has sqlite3 || each gpkg mbtiles -- row_variants
    else
        say "GDAL's Python modules are missing: kinds of features are left out"
        ! has sqlite3 || each mbtiles -- row_variants
    fi
    ! has sqlite3 || each gpkg sqlite mbtiles -- database_variants
    if has python3; then
        deflate_python=$(install_encoders)
        mapfile -t encoders < <(deflate encoders)
        has_pmtiles=$("$deflate_python" -c 'import pmtiles; print("yes")' 2>/dev/null) || say 'pmtiles is missing: its kinds are left out'
        each mbtiles -- tile_variants
        each geojson fgb csv -- gzip_variants
    fi
    packers=()
    ! has zip || packers+=(zip-6 zip-9)
    ! has 7z || packers+=(7zip-5 7zip-9)
    ! has zip advzip || packers+=(advzip-2)
    ! has ogr2ogr || each gpkg -- archive_variants
    ! has unzip || each zip -- zip_variants
    ! has osmium || each pbf -- osm_variants
    ! has gdal_translate || each tif -- raster_variants
}
