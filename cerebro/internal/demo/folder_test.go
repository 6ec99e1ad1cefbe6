package demo

import (
	"io/fs"
	"testing/fstest"
)

// folder is a project with one model.
func folder(yaml, sql string) fs.FS {
	return fstest.MapFS{
		"dbt_project.yml":   {Data: []byte("name: x")},
		"models/m/_m.yml":   {Data: []byte(yaml)},
		"models/m/a.sql":    {Data: []byte(sql)},
		"models/_extra.yml": {Data: []byte("version: 2")},
	}
}
